/** Owns the filters of the posts. All of them stand in the address. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { accountsQuery } from '../../api/queries.ts'
import { Choice } from '../../design/choice.tsx'
import { useKeys } from '../../shell/keys.ts'
import type { PostsSearch } from '../../shell/search.ts'

const route = getRouteApi('/posts')

export interface PostFiltersProps {
  readonly search: PostsSearch
}

export function PostFilters({ search }: PostFiltersProps) {
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery)
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <>
      <SearchField
        key={search.text ?? ''}
        text={search.text ?? ''}
        onSearch={(text) => set({ text })}
      />
      <Choice
        label="Status"
        value={search.status ?? 'watched'}
        options={[
          { value: 'watched', title: 'Watched' },
          { value: 'closed', title: 'Closed' },
          { value: 'gone', title: 'Gone' },
          { value: 'any', title: 'Any status' },
        ]}
        onChange={(status) => set({ status })}
      />
      <Choice
        label="Verdict"
        value={search.verdict ?? ''}
        options={[
          { value: '', title: 'Any verdict' },
          { value: 'plan', title: 'Plan' },
          { value: 'hold', title: 'Hold' },
          { value: 'healthy', title: 'Healthy' },
          { value: 'insufficient', title: 'Insufficient' },
        ]}
        onChange={(verdict) => set({ verdict })}
      />
      <Choice
        label="Account"
        value={search.accountId ?? ''}
        options={[
          { value: '', title: 'Every account' },
          ...(accounts.data ?? []).map(({ id, handle }) => ({ value: id, title: handle })),
        ]}
        onChange={(accountId) => set({ accountId })}
      />
    </>
  )
}

interface SearchFieldProps {
  readonly text: string
  readonly onSearch: (text: string) => void
}

/** Searches on Enter or when it is left, so that half a word asks nothing. */
function SearchField({ text, onSearch }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  const submit = () => {
    const value = field.current?.value.trim() ?? ''
    if (value !== text) onSearch(value)
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <input
        ref={field}
        type="search"
        className="input w-44!"
        aria-label="Search in texts"
        aria-keyshortcuts="/"
        placeholder="Search  /"
        maxLength={200}
        defaultValue={text}
        onBlur={submit}
      />
    </form>
  )
}
