/** Owns how posts are named: the URI that the network uses, and the page that people open. */

import { InputError, shown } from '../../core/input-error.ts'

export const postCollection = 'app.bsky.feed.post'
export const threadgateCollection = 'app.bsky.feed.threadgate'

/** A record of some account; the key is unique within its collection. */
export interface PostName {
  readonly did: string
  readonly rkey: string
}

const pattern =
  /^at:\/\/(did:[a-z]+:[A-Za-z0-9._:%-]{1,2000})\/app\.bsky\.feed\.post\/([A-Za-z0-9._~:-]{1,512})$/

/** Null for anything but the URI of a post with the author's permanent id. */
export function readPostUri(uri: string): PostName | null {
  const [, did, rkey] = pattern.exec(uri) ?? []
  return did === undefined || rkey === undefined ? null : { did, rkey }
}

export function parsePostUri(uri: string, field: string): PostName {
  const name = readPostUri(uri)
  if (name !== null) return name
  const example = 'at://did:plc:abc/app.bsky.feed.post/3kabc'
  throw new InputError(field, `${shown(uri)} is not the URI of a post like ${example}`)
}

export function postUri({ did, rkey }: PostName): string {
  return `at://${did}/${postCollection}/${rkey}`
}

/** By the permanent id, because a handle may change hands. */
export function postUrl({ did, rkey }: PostName): string {
  return `https://bsky.app/profile/${did}/post/${rkey}`
}
