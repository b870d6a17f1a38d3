/** Owns who is in the demo and what they post. All of it is made up. */

import type { Mode } from '../ledger/rows.ts'
import type { ProfileName } from '../platform/simulated/index.ts'

export interface Persona {
  readonly handle: string
  readonly network: ProfileName
  /** How it is run once the past is over. In the past it was run by itself. */
  readonly mode: Mode
  readonly timeZone: string
  readonly usualTotal: number
  /** Each post is one of each. Their numbers have no common divisor, so posts repeat late. */
  readonly openings: readonly string[]
  readonly details: readonly string[]
  readonly asides: readonly string[]
}

export const cast: readonly Persona[] = [
  {
    handle: 'harbor-bakery',
    network: 'bluesky',
    mode: 'approve',
    timeZone: 'Europe/Lisbon',
    usualTotal: 180,
    openings: [
      'Out of the oven at six:',
      'We tried something new this morning:',
      'Question for the early risers:',
      'The recipe you asked for:',
      'Saturday special:',
      'What we learnt this week:',
      'A small confession from the bakery:',
    ],
    details: [
      'rye with roasted walnuts and a crust that sings when it cools.',
      'a sourdough that rested for thirty hours, and you can taste every one of them.',
      'cardamom buns. Would you have them with orange sugar or without?',
      'our flour comes from a mill eleven kilometres away, and the miller drops by on Tuesdays.',
      'the starter turned nine years old. It still wants to be fed at four in the morning.',
      'how to tell that a loaf is done: knock on its bottom and listen.',
      'plum cake with far too much cinnamon, and no regrets.',
      'we bake less white bread every year. What do you eat for breakfast?',
      'three ways to save a loaf that is two days old.',
      'the oven broke, the neighbours lent us theirs, and the bread was better than ever.',
      'a baguette without a single straight line.',
      'why salt goes in last, and what happens when it does not.',
    ],
    asides: [
      'Bread tells you early when you are in a hurry.',
      'The queue reached the corner before the shutters were up.',
      'My grandmother would have added caraway and said nothing.',
      'Half of it was gone before the photo was taken.',
      'Nobody has found a better use for stale crumbs yet.',
      'The first batch always belongs to the night shift.',
      'Steam in the first ten minutes makes all the difference.',
      'A good crust forgives a crumb that is only decent.',
      'We write the temperature on the wall and argue about it daily.',
      'Come by after four if you want it half price.',
      'The dog next door has learnt our timetable by heart.',
      'Butter is not an ingredient here, it is a promise.',
      'If it cracks on top, the dough was braver than the baker.',
    ],
  },
  {
    handle: 'ada-builds',
    network: 'mastodon',
    mode: 'auto',
    timeZone: 'Europe/Berlin',
    usualTotal: 140,
    openings: [
      'New release:',
      'Today I learnt:',
      'Benchmark of the day:',
      'A bug story:',
      'Notes from a code review:',
      'Open question:',
      'Unpopular opinion:',
    ],
    details: [
      'the parser is twice as fast because it does half as much.',
      'a unique index is the cheapest distributed lock you will ever own.',
      'our flaky test was right all along. The code was flaky.',
      'we deleted nine hundred lines and nobody noticed but the CPU.',
      'timeouts are not errors. They are questions that nobody answered yet.',
      'what do you write in a changelog that your users really read?',
      'the fix was one character. Finding it took four people and a whiteboard.',
      'retry only what you know did not happen.',
      'we wrote the documentation first this time. It changed the design twice.',
      'a queue does not make a slow thing fast; it makes it slow somewhere else.',
      'how do you test code that depends on the time of day?',
      'every cache is a bet that you remember how to lose.',
    ],
    asides: [
      'The diff is smaller than the comment that explains it.',
      'I would rather read a boring function than a clever one.',
      'Somebody always depends on the bug you are about to fix.',
      'The graph looks dull now, which is what we wanted.',
      'It took an afternoon to write and a month to believe.',
      'Names were the hard part, as they always are.',
      'The test that caught it was three years old.',
      'Ask me again when it has survived a Monday.',
      'Nothing in the logs, and that was the clue.',
      'Delete the flag when the experiment is over, please.',
      'The slow path was the only path all along.',
      'We measured first, and were wrong in a new way.',
      'Half of reliability is knowing when to stop.',
    ],
  },
  {
    handle: 'trailnotes',
    network: 'gotosocial',
    mode: 'approve',
    timeZone: 'America/Denver',
    usualTotal: 260,
    openings: [
      'This morning at first light:',
      'Trail report:',
      'One for the weekend:',
      'Pack list, shortened again:',
      'Seen from the ridge:',
      'Ask me anything about',
      'Field note:',
    ],
    details: [
      'the lower lake has thawed and the upper one pretends to be stone.',
      'forty kilometres, two passes, one pair of dry socks.',
      'a marmot that has opinions about my lunch.',
      'the bridge at kilometre nine is out; take the upper path and mind the scree.',
      'what do you leave at home that everyone tells you to carry?',
      'how to read the weather from the smell of the pines.',
      'the last larches, gold for three more days at most.',
      'sleeping above the fog is worth the climb, every time.',
      'a map from 1931 that is still right about the springs.',
      'why I walk uphill slowly and downhill slower.',
      'first snow on the pass. Spikes from now on.',
      'nobody on the trail but a fox, and she was late for something.',
    ],
    asides: [
      'The light lasted nine minutes and then it was just cold.',
      'Boots dry faster with a newspaper from last week.',
      'Water at the second spring is still running clear.',
      'Start before five or share the ridge with everyone.',
      'My knees voted against the last descent and lost.',
      'There is a hut book up there with my handwriting from 2009.',
      'The wind decides where the tent goes, not you.',
      'Nothing tastes like an apple at three thousand metres.',
      'A cairn is a promise from someone you never met.',
      'The valley was loud and then, quite suddenly, it was not.',
      'Leave the summit an hour before you want to.',
      'Every shortcut I know has cost me an evening.',
      'Maps are quiet about mosquitoes, so here I am.',
    ],
  },
]

export function textOf({ openings, details, asides }: Persona, number: number): string {
  const pick = (list: readonly string[]) => list[number % list.length] ?? ''
  return `${pick(openings)} ${pick(details)} ${pick(asides)}`
}
