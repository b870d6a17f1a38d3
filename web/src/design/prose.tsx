/**
 * Owns sentences of the server on screen. The instants in them are written for every reader alike;
 * here they are shown in the viewer's zone, with the exact one on hover.
 */

import { useNow } from '../shell/now.tsx'
import { splitInstants } from '../words/instants.ts'
import { formatClock, formatExactly } from '../words/time.ts'

export function Prose({ text }: { readonly text: string }) {
  const now = useNow()
  return splitInstants(text).map((part, index) =>
    part.at === null ? (
      <span key={index}>{part.text}</span>
    ) : (
      <time key={index} dateTime={part.text} title={formatExactly(part.at)}>
        {formatClock(part.at, now)}
      </time>
    ),
  )
}
