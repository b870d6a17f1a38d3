/** Owns the icons: one stroke, one size, drawn here so that nothing is fetched from elsewhere. */

const paths = {
  home: 'M3 9.5 10 3.5l7 6V16a1 1 0 0 1-1 1h-3.5v-4.5h-5V17H4a1 1 0 0 1-1-1z',
  inbox:
    'M3 11.5 5 4.5h10l2 7V15a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15zM3 11.5h4l1 2h4l1-2h4',
  posts: 'M4 5h12M4 10h12M4 15h7',
  impact: 'M3.5 14.5 8 9.5l3 3 5.5-7m0 0H13m3.5 0V9',
  accounts: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm-6 7c.5-3.2 2.8-5 6-5s5.5 1.8 6 5',
  policy: 'M10 3 4 5.5V10c0 3.5 2.5 6 6 7 3.5-1 6-3.5 6-7V5.5zm-2.5 7 2 2 3.5-4',
  system: 'M3.5 10.5h3l1.5-5 3.5 9 2-6 1 2h2',
  audit:
    'M6 3.5h6L15 6.5V16a.5.5 0 0 1-.5.5h-8.5a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5zM8 10h4M8 13h4',
  pause: 'M7 5v10M13 5v10',
  resume: 'M7 4.5v11l8-5.5z',
  sun:
    'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5' +
    'M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  moon: 'M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5z',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  check: 'M4.5 10.5 8.5 14.5l7-9',
  stop: 'M6 6l8 8M14 6l-8 8',
  external: 'M8 5H5v10h10v-3M11.5 4.5h4v4M15 5l-6.5 6.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      width="17"
      height="17"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}
