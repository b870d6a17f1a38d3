/** Finds what a person means: an account by its handle, a post or action by the start of its id. */

import { nearest } from '../core/nearest.ts'
import type { AccountView } from '../server/schema/account.ts'
import type { Api } from './api.ts'
import { CommandError, UsageError } from './terminal.ts'

export async function listAccounts(api: Api): Promise<readonly AccountView[]> {
  const { items } = await api.get<{ readonly items: readonly AccountView[] }>('/accounts')
  return items.filter(({ status }) => status !== 'erased')
}

export async function findAccount(api: Api, word: string): Promise<AccountView> {
  return matchAccount(await listAccounts(api), word)
}

/** What tells one account from another. */
export interface Named {
  readonly id: string
  readonly platform: string
  readonly handle: string
}

/** By id, by handle, or as `platform/handle` where a handle is on several. */
export function matchAccount<Row extends Named>(accounts: readonly Row[], word: string): Row {
  const names = (row: Row) => [row.id, row.handle, nameOf(row)]
  const found = accounts.filter((row) => names(row).some((name) => bare(name) === bare(word)))
  const [first, second] = found
  if (first === undefined) {
    const meant = nearest(word, accounts.flatMap(names))
    const hint = meant === null ? wordChoice(accounts) : `Did you mean ${meant}?`
    throw new CommandError(`There is no account ${word}. ${hint}`)
  }
  if (second !== undefined) {
    throw new CommandError(`${word} is several: ${found.map(nameOf).join(', ')}. Name one.`)
  }
  return first
}

/** So many are named; the rest would not be read. */
const mostNamed = 8

function wordChoice(accounts: readonly Named[]): string {
  if (accounts.length === 0) return 'There is none at all.'
  const more = accounts.length > mostNamed ? `, and ${accounts.length - mostNamed} more` : ''
  return `There is ${accounts.slice(0, mostNamed).map(nameOf).join(', ')}${more}.`
}

/** Some networks write handles with an @, and people write them with one or without. */
function bare(name: string): string {
  return name.replace(/^([^/@]+\/)?@/, '$1')
}

export function nameOf({ platform, handle }: Named): string {
  return `${platform}/${handle}`
}

/** The ids of the accounts with their names, for pages that name them. */
export async function accountNames(api: Api): Promise<ReadonlyMap<string, string>> {
  return new Map((await listAccounts(api)).map((row) => [row.id, nameOf(row)]))
}

const wholeId = 20
const shortest = 4
const pagesSearched = 10

export const findPostId = (api: Api, word: string) => findId(api, '/posts', 'post', word)
export const findActionId = (api: Api, word: string) => findId(api, '/actions', 'action', word)

/** The start of an id is enough where it is one of the newest. */
async function findId(api: Api, path: string, what: string, word: string): Promise<string> {
  if (word.length >= wholeId) return word
  if (word.length < shortest) {
    throw new UsageError(`${word} is too short; give at least ${shortest} characters of the id.`)
  }
  const found: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesSearched; page += 1) {
    const answer: { readonly items: readonly { readonly id: string }[]; next: string | null } =
      await api.get(path, { limit: 200, cursor })
    found.push(...answer.items.map(({ id }) => id).filter((id) => id.startsWith(word)))
    cursor = answer.next
    if (cursor === null) break
  }
  const [first, second] = found
  // An id may be short by itself; the server knows.
  if (first === undefined) return word
  if (second !== undefined) {
    throw new CommandError(`Several ${what}s begin with ${word}; give more of the id.`)
  }
  return first
}

/** Enough of an id to tell it from the others in a list. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
