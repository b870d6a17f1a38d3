/** Tests of telling that a post may be English. */

import { describe, expect, test } from 'vitest'
import { fourDayWeek } from '../../test/builders/content-request.ts'
import { mayBeEnglish } from './language.ts'

describe('mayBeEnglish', () => {
  test.each([
    fourDayWeek,
    '',
    '🎉🎉🎉',
    'New release: v2.0',
    'Los Angeles to Las Vegas in one day, and it was worth it',
    'Le Monde wrote about us. It was the first time that they did.',
    'Wien',
  ])('yes: %j', (text) => {
    expect(mayBeEnglish(text)).toBe(true)
  })

  test.each([
    'Wir haben die Hälfte der Sitzungen gestrichen und das ist gut so.',
    'Nous avons supprimé la moitié des réunions et personne ne les regrette, je pense.',
    'Hemos eliminado la mitad de las reuniones y no es para menos.',
    'Abbiamo tolto metà delle riunioni e non sono più necessarie, anche per questo.',
    'We hebben het halve aantal vergaderingen geschrapt, maar niet deze.',
    '会議を半分に減らしました。',
    'Мы отменили половину встреч.',
    'ألغينا نصف الاجتماعات',
    'iOS 18 で会議を半分に減らしました',
  ])('no: %j', (text) => {
    expect(mayBeEnglish(text)).toBe(false)
  })
})
