/** Owns how numbers are written, the same on every screen. */

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function formatCount(count: number): string {
  return counts.format(count)
}

/** For axes and narrow cells: `12.3K`. */
export function formatCompact(count: number): string {
  return compact.format(count)
}

/** Cut and not rounded, so that 0.7999 never reads as a passed 0.80. */
export function formatScore(score: number): string {
  return (Math.floor(score * 100 + 1e-9) / 100).toFixed(2)
}

/** `+34 %`, `−5 %`: a change, so it always has its sign. */
export function formatChange(share: number): string {
  const percent = Math.round(share * 100)
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  return `${sign}${counts.format(Math.abs(percent))} %`
}

export function formatShare(share: number): string {
  return `${counts.format(share * 100)} %`
}

/** `1 post`, `2 posts`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
