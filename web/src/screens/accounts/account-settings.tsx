/** Owns the settings of an account: mode, policy, holdout share, time zone. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountChange, AccountDetail } from '../../../../src/server/schema/account.ts'
import { policiesQuery } from '../../api/queries.ts'
import { patch, problemOfField } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Field } from '../../design/field.tsx'
import { Section } from '../../design/page.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'
import { modeWords } from '../../words/states.ts'
import type { Mode } from '../../words/states.ts'

const modes: readonly Mode[] = ['watch', 'approve', 'auto']
const hints: Readonly<Record<Mode, string>> = {
  watch: 'Says what it would do. Nothing is sent, and nothing can be approved.',
  approve: 'Plans wait in the inbox until a person approves them.',
  auto: 'What passes every guard is sent without asking.',
}

export function AccountSettings({ account }: { readonly account: AccountDetail }) {
  const [mode, setMode] = useState<Mode>(account.mode)
  const [policy, setPolicy] = useState(account.policy)
  const [timeZone, setTimeZone] = useState(account.timeZone)
  const [holdout, setHoldout] = useState(String(Math.round(account.holdoutShare * 1000) / 10))
  const save = useSave(account.id)
  const [isAsking, setIsAsking] = useState(false)
  const submit = () => {
    setIsAsking(false)
    save.mutate({ mode, policy, timeZone, holdoutShare: Number(holdout) / 100 })
  }
  const problemOf = (field: string) => problemOfField(save.error, field)
  return (
    <Section title="Settings">
      <form
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (mode === 'auto' && account.mode !== 'auto') setIsAsking(true)
          else submit()
        }}
      >
        <ModeField
          value={mode}
          isFixed={account.isExternal}
          onChange={setMode}
          problem={problemOf('mode')}
        />
        <PolicyField value={policy} onChange={setPolicy} problem={problemOf('policy')} />
        <HoldoutField value={holdout} onChange={setHoldout} problem={problemOf('holdoutShare')} />
        <Field label="Time zone" hint="For quiet hours." problem={problemOf('timeZone')}>
          {(control) => (
            <input
              {...control}
              className="input"
              list="time-zones"
              required
              value={timeZone}
              onChange={(event) => setTimeZone(event.target.value)}
            />
          )}
        </Field>
        <TimeZones />
        <div className="sm:col-span-2">
          <Button type="submit" tone="main" isBusy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
      {isAsking ? (
        <AskAuto handle={account.handle} onClose={() => setIsAsking(false)} onConfirm={submit} />
      ) : null}
    </Section>
  )
}

interface AskAutoProps {
  readonly handle: string
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** From then on nobody is asked, so it is asked once. */
function AskAuto({ handle, onClose, onConfirm }: AskAutoProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Let ${handle} act by itself?`}
      description="What passes every guard is sent without asking. Pause all stops it at any time."
      goOn={
        <Button tone="main" onClick={onConfirm}>
          Switch to auto
        </Button>
      }
    />
  )
}

function useSave(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: AccountChange) =>
      patch<AccountDetail>(`/accounts/${encodeURIComponent(id)}`, change),
    onSuccess: () => notify({ title: 'Saved', description: 'It applies from the next look on.' }),
    onError: notifyError,
    onSettled: () =>
      Promise.all(
        ['accounts', 'overview', 'policies'].map((topic) =>
          client.invalidateQueries({ queryKey: [topic] }),
        ),
      ),
  })
}

interface ModeFieldProps {
  readonly value: Mode
  readonly isFixed: boolean
  readonly onChange: (value: Mode) => void
  readonly problem: string | null
}

function ModeField({ value, isFixed, onChange, problem }: ModeFieldProps) {
  return (
    <Field label="Mode" hint={hints[value]} problem={problem}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          disabled={isFixed}
          onChange={(event) => onChange(event.target.value as Mode)}
        >
          {modes.map((each) => (
            <option key={each} value={each}>
              {each}: {modeWords[each]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface TextFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | null
}

function PolicyField({ value, onChange, problem }: TextFieldProps) {
  const policies = useQuery(policiesQuery)
  const known = (policies.data ?? []).map(({ id }) => id)
  const ids = known.includes(value) ? known : [value, ...known]
  return (
    <Field label="Policy" hint="Everything about its decisions." problem={problem}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {ids.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function HoldoutField({ value, onChange, problem }: TextFieldProps) {
  return (
    <Field
      label="Holdout share, in %"
      hint="So many posts are left alone at random, so that lift can be told from luck."
      problem={problem}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          type="number"
          min="0"
          max="100"
          step="any"
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function TimeZones() {
  return (
    <datalist id="time-zones">
      {Intl.supportedValuesOf('timeZone').map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  )
}
