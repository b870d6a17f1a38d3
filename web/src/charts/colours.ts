/** Owns turning the names of colours into what a canvas can paint with, in the theme of now. */

export type ColourName = 'accent' | 'ink-faint' | 'line' | 'warn' | 'bad' | 'good' | 'surface'

/** `light-dark()` is only resolved on an element, so one is asked. */
export function readColours(host: HTMLElement): (name: ColourName, opacity?: number) => string {
  const probe = document.createElement('span')
  // A colour on its way to another would be read in between.
  probe.style.transitionProperty = 'none'
  host.append(probe)
  const paint = document.createElement('canvas').getContext('2d')
  const read = (name: ColourName, opacity = 1) => {
    probe.style.color = `color-mix(in srgb, var(--color-${name}) ${opacity * 100}%, transparent)`
    const { color } = getComputedStyle(probe)
    if (paint === null) return color
    paint.fillStyle = color
    return paint.fillStyle
  }
  const names: readonly ColourName[] = [
    'accent',
    'ink-faint',
    'line',
    'warn',
    'bad',
    'good',
    'surface',
  ]
  const known = new Map<string, string>()
  for (const name of names) {
    for (const opacity of [1, 0.14]) known.set(`${name} ${opacity}`, read(name, opacity))
  }
  probe.remove()
  return (name, opacity = 1) => known.get(`${name} ${opacity}`) ?? 'currentColor'
}
