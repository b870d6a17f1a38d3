/** Where a network sends the browser back to after someone agreed there. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { AccountDetail, FinishSignInBody } from '../../../../src/server/schema/account.ts'
import { post } from '../../api/request.ts'
import { Page } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { recallVisit } from './visit.ts'

export function CallbackScreen() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const finish = useMutation({
    mutationFn: (body: FinishSignInBody) => post<AccountDetail>('/accounts/sign-ins/finish', body),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries()
      void navigate({ to: '/accounts', search: { id }, replace: true })
    },
  })
  const { mutate } = finish
  const isBegun = useRef(false)
  useEffect(() => {
    // A code works once, and an effect may run twice.
    if (isBegun.current) return
    isBegun.current = true
    const answer = window.location.href
    const state = recallVisit(answer)
    if (state !== null) mutate({ state, answer })
  }, [mutate])
  return (
    <Page title="Connecting" question="Back from the network">
      {finish.isPending ? <Loading rows={3} /> : null}
      {finish.error === null ? null : <Trouble error={finish.error} />}
      {finish.isIdle || finish.isError ? (
        <Empty
          title="The sign-in is not finished"
          action={
            <Link to="/accounts" search={{ connect: 'new' }} className="button" data-tone="main">
              Begin again
            </Link>
          }
        >
          Begin it in this browser, and come back within a few minutes.
        </Empty>
      ) : null}
    </Page>
  )
}
