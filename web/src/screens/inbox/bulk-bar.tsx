/**
 * Owns deciding on many at once. What matches is shown first, text by text; the digest of that list
 * goes with the decision, so that a text that changed meanwhile is not decided on unseen.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActionSummary, BulkBody, BulkResult } from '../../../../src/server/schema/action.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'
import { plural } from '../../words/numbers.ts'

type BulkKind = BulkBody['decision']['kind']
type Preview = Extract<BulkResult, { kind: 'preview' }>

export interface BulkBarProps {
  readonly items: readonly ActionSummary[]
  readonly selected: ReadonlySet<string>
  readonly filter: {
    readonly accountId: string | undefined
    readonly action: ActionSummary['action'] | undefined
  }
  readonly onDone: () => void
}

interface Asked {
  readonly body: BulkBody
  readonly preview: Preview
}

export function BulkBar({ items, selected, filter, onDone }: BulkBarProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const chosen = items.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const look = useMutation({
    mutationFn: async (body: BulkBody) => ({
      body,
      result: await post<BulkResult>('/approvals/bulk', body),
    }),
    onSuccess: ({ body, result }) => {
      if (result.kind === 'preview') setAsked({ body, preview: result })
    },
    onError: notifyError,
  })
  const ask = (kind: BulkKind) =>
    look.mutate({
      filter: chosen.length > 0 ? { ids: chosen } : withoutGaps(filter),
      decision: { kind },
    })
  const what = chosen.length > 0 ? `${chosen.length} selected` : 'All that match'
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-ink-faint">{what}:</span>
      <Button size="small" isBusy={look.isPending} onClick={() => ask('approve')}>
        Approve…
      </Button>
      <Button size="small" isBusy={look.isPending} onClick={() => ask('reject')}>
        Reject…
      </Button>
      {asked === null ? null : (
        <BulkDialog
          asked={asked}
          items={items}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null)
            onDone()
          }}
        />
      )}
    </div>
  )
}

function withoutGaps({ accountId, action }: BulkBarProps['filter']): BulkBody['filter'] {
  return {
    ...(accountId === undefined ? {} : { accountId }),
    ...(action === undefined ? {} : { action }),
  }
}

interface BulkDialogProps {
  readonly asked: Asked
  readonly items: readonly ActionSummary[]
  readonly onClose: () => void
  readonly onDone: () => void
}

function BulkDialog({ asked, items, onClose, onDone }: BulkDialogProps) {
  const { body, preview } = asked
  const client = useQueryClient()
  const isApproval = body.decision.kind === 'approve'
  const decide = useMutation({
    mutationFn: () =>
      post<BulkResult>('/approvals/bulk', { ...body, digest: preview.digest } satisfies BulkBody),
    onSuccess: (result) => {
      if (result.kind === 'preview') return
      sayResult(result, isApproval)
      onDone()
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['actions'] }),
  })
  const verb = isApproval ? 'Approve' : 'Reject'
  const count = preview.matched.length
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={`${verb} ${plural(count, 'action')}?`}
      description={preview.more ? 'More match; these are decided on first.' : undefined}
      goOn={
        <Button
          tone="main"
          disabled={count === 0}
          isBusy={decide.isPending}
          onClick={() => decide.mutate()}
        >
          {verb} {plural(count, 'action')}
        </Button>
      }
    >
      <ul className="grid max-h-[40dvh] gap-2 overflow-y-auto">
        {preview.matched.map(({ id, textHash }) => (
          <MatchedText key={id} item={items.find((each) => each.id === id)} textHash={textHash} />
        ))}
      </ul>
    </Dialog>
  )
}

interface MatchedTextProps {
  readonly item: ActionSummary | undefined
  readonly textHash: string
}

/** What is further down the list than was loaded is named by the hash of its text. */
function MatchedText({ item, textHash }: MatchedTextProps) {
  const isSeen = item !== undefined && item.textHash === textHash
  return (
    <li className="rounded-md border border-line p-2.5 text-sm">
      {isSeen ? (
        <>
          <p className="font-medium">
            {item.action} for {item.handle}
          </p>
          <p className="whitespace-pre-wrap text-ink-soft">{item.text}</p>
        </>
      ) : (
        <p className="text-ink-soft">
          A text that is not loaded here, <code className="font-mono">{textHash.slice(0, 12)}</code>
        </p>
      )}
    </li>
  )
}

function sayResult(result: Extract<BulkResult, { kind: 'done' }>, isApproval: boolean): void {
  const done = result.results.filter((each) => each.result === 'done').length
  const left = result.results.length - done
  notify({
    title: `${isApproval ? 'Approved' : 'Rejected'} ${plural(done, 'action')}`,
    ...(left === 0
      ? {}
      : { description: `${plural(left, 'action')} changed meanwhile and stayed as they were.` }),
  })
}
