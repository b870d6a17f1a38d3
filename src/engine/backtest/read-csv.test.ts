/** What is read from CSV, and how a bad file is named. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { readCsv } from './read-csv.ts'
import { samplesOf } from './recorded-post.ts'

const noon = Date.UTC(2026, 0, 1, 12)

describe('reading CSV', () => {
  it('takes counts every 20 minutes, and leaves out what was not observed', () => {
    const [post] = readCsv('IDLink,TS1,TS2,TS3\n61974,-1,3,7\n', 'news')
    expect(post).toMatchObject({ id: '61974', account: 'news', platform: 'news' })
    expect(samplesOf(post as NonNullable<typeof post>)).toEqual([
      { at: noon + 40 * minuteMs, engagements: 3, impressions: null },
      { at: noon + hourMs, engagements: 7, impressions: null },
    ])
  })

  it('takes posts to be 48 h apart unless it is told when they were published', () => {
    const [, second] = readCsv('TS1\n1\n2\n', 'news')
    expect(second).toMatchObject({ id: 'line-3', publishedAt: noon + 48 * hourMs })
    const text = 'id,account,publishedAt,TS1\na,ann,2026-03-01T08:00:00+01:00,1\r\n'
    expect(readCsv(text, 'news')).toMatchObject([
      { id: 'a', account: 'news/ann', publishedAt: Date.UTC(2026, 2, 1, 7) },
    ])
  })

  it('takes impressions where there are any', () => {
    const [post] = readCsv('TS1,TS2,IMP1,IMP2\n1,2,100,\n', 'news')
    expect(samplesOf(post as NonNullable<typeof post>).map((one) => one.impressions)).toEqual([
      100,
      null,
    ])
  })

  it('names the line and the column that cannot be read', () => {
    expect(() => readCsv('TS1,TS2\n1,2\n3,many\n', 'news')).toThrow(
      'news, line 3, TS2: "many" is not a count of at least 0, nor -1 for none',
    )
    expect(() => readCsv('TS1\n-5\n', 'news')).toThrow('news, line 2, TS1: "-5" is not a count')
    expect(() => readCsv('TS1,publishedAt\n1,soon\n', 'news')).toThrow('line 2, publishedAt')
  })

  it('refuses a file that is not one of posts, or has none', () => {
    expect(() => readCsv('name,age\nann,3\n', 'people')).toThrow('people, line 1: names no column')
    expect(() => readCsv('', 'empty')).toThrow('empty, line 1')
    expect(() => readCsv('TS1\n', 'bare')).toThrow('bare: holds no post')
  })
})
