/** Owns the list of keys that the `?` sheet shows. */

export interface KeyGroup {
  readonly title: string
  readonly keys: readonly (readonly [keys: string, does: string])[]
}

export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['?', 'show these keys'],
      ['g h', 'go to Home'],
      ['g i', 'go to Inbox'],
      ['g p', 'go to Posts'],
      ['g m', 'go to Impact'],
      ['g a', 'go to Accounts'],
      ['g y', 'go to Policy'],
      ['g s', 'go to System'],
      ['g l', 'go to Audit'],
      ['P', 'pause everything, or resume it'],
      ['t', 'change the theme'],
      ['Esc', 'close what is open'],
    ],
  },
  {
    title: 'Inbox',
    keys: [
      ['j', 'next action'],
      ['k', 'the one before'],
      ['a', 'approve'],
      ['e', 'edit the text'],
      ['r', 'reject'],
      ['s', 'snooze'],
      ['x', 'select for a bulk decision'],
      ['o', 'open the action'],
    ],
  },
  {
    title: 'Posts',
    keys: [
      ['/', 'search'],
      ['j', 'next post'],
      ['k', 'the one before'],
      ['Enter', 'open the post'],
    ],
  },
]
