/** Owns one way to sign in: its fields, and then the network's own page where it has one. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  AccountDetail,
  AccountView,
  BeginSignInBody,
  BegunSignIn,
  NewAccountBody,
  ReconnectBody,
} from '../../../../src/server/schema/account.ts'
import type { PlatformView, SignInView } from '../../../../src/server/schema/platform.ts'
import { post, problemOfField } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Choice } from '../../design/choice.tsx'
import { Field } from '../../design/field.tsx'
import { wordError } from '../../design/situations.tsx'
import { notify } from '../../design/toasts.tsx'
import { rememberVisit } from './visit.ts'

export interface SignInFormProps {
  readonly platform: PlatformView
  readonly account: AccountView | null
  readonly onDone: () => void
}

type Values = Readonly<Record<string, string>>

export function SignInForm({ platform, account, onDone }: SignInFormProps) {
  const [name, setName] = useState(platform.signIns[0]?.name ?? '')
  const [values, setValues] = useState<Values>({})
  const signIn = platform.signIns.find((each) => each.name === name)
  const connect = useConnect(platform, account, onDone)
  if (signIn === undefined) return <p>This network offers no way to sign in here.</p>
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate({ signIn, values: filledIn(signIn, values) })
      }}
    >
      {platform.signIns.length > 1 ? (
        <Choice
          label="Way to sign in"
          value={name}
          options={platform.signIns.map((each) => ({ value: each.name, title: each.title }))}
          onChange={setName}
        />
      ) : null}
      {signIn.fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          hint={field.hint}
          problem={problemOf(connect.error, field.name)}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type={field.isSecret ? 'password' : 'text'}
              autoComplete="off"
              required={field.fallback === null}
              placeholder={field.fallback ?? ''}
              value={values[field.name] ?? ''}
              onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      {connect.error === null || isAboutFields(connect.error, signIn) ? null : (
        <p role="alert" className="text-sm text-bad">
          {wordError(connect.error).detail}
        </p>
      )}
      <Button type="submit" tone="main" isBusy={connect.isPending}>
        {signIn.kind === 'direct' ? 'Connect' : `Go on at ${platform.title}`}
      </Button>
    </form>
  )
}

interface Entered {
  readonly signIn: SignInView
  readonly values: Record<string, string>
}

function useConnect(platform: PlatformView, account: AccountView | null, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ signIn, values }: Entered): Promise<AccountDetail | null> => {
      if (signIn.kind === 'browser') {
        await leaveForNetwork({
          platform: platform.name,
          signIn: signIn.name,
          values,
          ...(account === null ? {} : { accountId: account.id }),
        })
        return null
      }
      if (account !== null) {
        const path = `/accounts/${encodeURIComponent(account.id)}/sign-in`
        return post<AccountDetail>(path, { signIn: signIn.name, values } satisfies ReconnectBody)
      }
      return post<AccountDetail>('/accounts', {
        kind: 'direct',
        platform: platform.name,
        signIn: signIn.name,
        values,
      } satisfies NewAccountBody)
    },
    onSuccess: async (connected) => {
      if (connected === null) return
      await client.invalidateQueries()
      notify({
        title: `${connected.handle} is connected`,
        description: `Mode ${connected.mode}. Its latest posts are read now.`,
      })
      onDone()
      void navigate({ to: '/accounts', search: { id: connected.id } })
    },
  })
}

async function leaveForNetwork(body: BeginSignInBody): Promise<void> {
  const begun = await post<BegunSignIn>('/accounts/sign-ins', body)
  rememberVisit(begun.state)
  window.location.assign(begun.url)
}

/** A field that was left empty is left out, so that its fallback is taken. */
function filledIn(signIn: SignInView, values: Values): Record<string, string> {
  const entries = signIn.fields
    .map(({ name }) => [name, values[name] ?? ''] as const)
    .filter(([, value]) => value !== '')
  return Object.fromEntries(entries)
}

/** What stands beside its field is not said twice. */
function isAboutFields(error: Error, { fields }: SignInView): boolean {
  return fields.some(({ name }) => problemOf(error, name) !== null)
}

function problemOf(error: Error | null, field: string): string | null {
  return problemOfField(error, field) ?? problemOfField(error, `values.${field}`)
}
