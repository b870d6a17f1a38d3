/**
 * Shows on one page what Second Wind does, with a made-up post. The counters and the captions were
 * written by hand; every verdict, and every sentence behind a bar, is computed here and now.
 */

import { classicPolicy, standardPolicy } from '../src/index.ts'
import { paint, wrap } from './demonstrate/page.ts'
import { moments, place, publishedAt, quietMoment, text } from './demonstrate/story.ts'
import {
  compare,
  localTime,
  tellActions,
  tellChecklist,
  tellMoment,
} from './demonstrate/telling.ts'
import { verdictAt, watch } from './demonstrate/watch.ts'

const standard = watch(standardPolicy)
const classic = watch(classicPolicy)

const page = [
  '',
  paint('bold', 'Second Wind: one night in the life of a post'),
  '',
  ...wrap(`“${text}”`, '   '),
  '',
  ...wrap(
    `A made-up post, published on ${localTime(publishedAt)} in ${place}. Its counters are read ` +
      'every 15 minutes: each bar is what one reading added, and a line runs under the bars that ' +
      'the verdict rests on. Counters and captions were written by hand; each verdict, and each ' +
      `sentence behind │, is computed now, under the policy ${standard.policy}.`,
    '',
  ),
  '',
  ...moments.flatMap((moment) => tellMoment(moment, standard)),
  paint('bold', `Everything that was asked on ${localTime(quietMoment.now)}`),
  '',
  ...tellChecklist(verdictAt(standard, quietMoment.now)),
  '',
  paint('bold', `The same night under ${classic.policy}, the policy of the original executor`),
  '',
  ...wrap(
    'It had the same readings. But it calls no score healthy, believes its first look and knows ' +
      'no night.',
    '   ',
  ),
  '',
  ...compare(moments, standard, classic),
  '',
  ...tellActions(standard, classic),
  '',
  ...tellActions(classic, standard),
  '',
  'The whole decision is one line of stages: src/core/decide.ts',
  '',
]
console.log(page.join('\n'))
