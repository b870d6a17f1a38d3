/** Owns taking everything along, as a table or line by line. */

import { apiRoot } from '../../api/request.ts'
import { Section } from '../../design/page.tsx'

const kinds: readonly string[] = ['posts', 'samples', 'actions', 'events']

export function Exports() {
  return (
    <Section title="Export">
      <ul className="grid gap-2 text-sm">
        {kinds.map((kind) => (
          <li key={kind} className="flex items-center gap-4">
            <span className="w-20 font-medium">{kind}</span>
            {['csv', 'json'].map((format) => (
              <a
                key={format}
                href={`${apiRoot}/export/${kind}?format=${format}`}
                download
                className="link"
                aria-label={`Export ${kind} as ${format.toUpperCase()}`}
              >
                {format.toUpperCase()}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
