/** Owns showing a new secret. It is shown this once; the server keeps a hash or a seal of it. */

import { useState } from 'react'
import { Button } from '../../design/button.tsx'

export interface SecretOnceProps {
  readonly secret: string
  readonly onDone: () => void
}

export function SecretOnce({ secret, onDone }: SecretOnceProps) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard
      .writeText(secret)
      .then(() => setIsCopied(true))
      // Without permission it can still be selected by hand.
      .catch(() => setIsCopied(false))
  return (
    <div className="note" data-tone="warn" role="status">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">Copy it now. It is not shown again.</p>
        <code className="font-mono text-sm [overflow-wrap:anywhere] select-all">{secret}</code>
      </div>
      <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
