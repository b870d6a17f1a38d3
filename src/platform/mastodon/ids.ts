/** Owns whether two ids are of one post: on some servers an edit gives a post another one. */

import type { Profile } from './profile.ts'

/** A second at which a post was last changed, and a hash that stays. */
const changing = /^\d{10}([0-9a-f]{32})$/

export function lastingId({ software }: Pick<Profile, 'software'>, id: string): string {
  return software === 'snac' ? (changing.exec(id)?.[1] ?? id) : id
}

export function isSameId(profile: Profile, one: string, other: string): boolean {
  return lastingId(profile, one) === lastingId(profile, other)
}
