/**
 * Owns telling that a post may be about death, violence or grief. A ready-made remark under such a
 * post hurts, and nobody misses one that was held back, so a single word is enough. It knows
 * English only; posts in other languages get no ready-made remarks at all.
 */

const readCharacters = 10_000

const grave = new RegExp(
  `\\b(?:${[
    'dead|death|deaths|died|dies|dying|killed|murder(?:ed)?|suicide|overdose|casualties',
    'funeral|obituary|condolences?|mourn(?:s|ing|ed)?|grief|grieving|hospice|terminally ill',
    'r\\.?i\\.?p|rest in peace|passed away|in memoriam|in memory of|stillborn|miscarriage|cancer',
    'massacre|genocide|terror(?:ist)? attack|shooting|bombing|assault(?:ed)?|raped?|abused?',
    '(?:lost|losing) (?:my|our|his|her|their) (?:mother|father|mum|mom|dad|son|daughter|brother|' +
      'sister|wife|husband|partner|friend|baby|child|grandmother|grandfather|dog|cat)',
  ].join('|')})\\b`,
  'iu',
)

export function mayBeGrave(text: string): boolean {
  return grave.test(text.slice(0, readCharacters))
}
