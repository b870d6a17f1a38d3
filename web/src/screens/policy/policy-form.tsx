/** Owns the policy as a form in sentences. */

import { Section } from '../../design/page.tsx'
import { withGuard, writeAt } from './draft.ts'
import type { Policy } from './draft.ts'
import { LadderFields } from './ladder-fields.tsx'
import { Sentence } from './sentence.tsx'
import { groups, guardSentences, retrySentences } from './sentences.ts'
import type { GuardSentence } from './sentences.ts'

export interface PolicyFormProps {
  readonly original: Policy
  readonly draft: Policy
  readonly onChange: (draft: Policy) => void
}

export function PolicyForm({ original, draft, onChange }: PolicyFormProps) {
  const set = (path: string, value: unknown) => onChange(writeAt(draft, path, value))
  return (
    <>
      <Section title="How often it looks">
        {draft.checks.map((_, index) => (
          <Sentence key={index} sentence={checkSentence(index)} draft={draft} onChange={set} />
        ))}
      </Section>
      {groups.map(({ title, sentences }) => (
        <Section key={title} title={title}>
          {sentences.map((sentence) => (
            <Sentence key={sentence} sentence={sentence} draft={draft} onChange={set} />
          ))}
        </Section>
      ))}
      <Section title="What it does about it">
        <LadderFields ladder={draft.ladder} onChange={set} />
      </Section>
      <Section title="What holds it back" aside="all of these are asked, in this order">
        <ul className="grid gap-1">
          {guardSentences
            .filter(({ guard }) => original.guards.some((settings) => settings.guard === guard))
            .map((entry) => (
              <GuardLine
                key={entry.guard}
                entry={entry}
                draft={draft}
                onSet={set}
                onToggle={(isOn) => onChange(withGuard(draft, original, entry.guard, isOn))}
              />
            ))}
        </ul>
      </Section>
      <Section title={retrySentences.title}>
        {retrySentences.sentences.map((sentence) => (
          <Sentence key={sentence} sentence={sentence} draft={draft} onChange={set} />
        ))}
      </Section>
    </>
  )
}

function checkSentence(index: number): string {
  const until = `{checks.${index}.untilAgeMs:duration}`
  return `Until a post is ${until} old, it is read every {checks.${index}.everyMs:duration}.`
}

interface GuardLineProps {
  readonly entry: GuardSentence
  readonly draft: Policy
  readonly onSet: (path: string, value: unknown) => void
  readonly onToggle: (isOn: boolean) => void
}

function GuardLine({ entry, draft, onSet, onToggle }: GuardLineProps) {
  const { guard, sentence, isFixed = false } = entry
  const isOn = draft.guards.some((settings) => settings.guard === guard)
  return (
    <li className="flex items-start gap-3">
      <input
        type="checkbox"
        className="mt-2"
        aria-label={`Guard ${guard.replaceAll('_', ' ')}`}
        checked={isOn}
        disabled={isFixed}
        title={isFixed ? 'This one cannot be taken out here.' : undefined}
        onChange={(event) => onToggle(event.target.checked)}
      />
      {isOn ? (
        <Sentence sentence={sentence} draft={draft} onChange={onSet} />
      ) : (
        <p className="leading-8 text-ink-faint">
          <span className="line-through">{guard.replaceAll('_', ' ')}</span> is not asked.
        </p>
      )}
    </li>
  )
}
