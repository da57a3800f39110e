import { Plus, X } from 'lucide-react'
import { t } from 'i18next'
import type { WordRule } from '../../shared/recipes/word-rules.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS } from '../../shared/recipes/limits.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { FieldError, Select, TextField } from '../parts/field.tsx'
import { languageName } from './language-names.ts'
import type { FieldProps } from './recipe-draft.ts'
import { newRule, ofKind, RULE_ANCHORS, RULE_KINDS, finishedRules } from './rule-draft.ts'
import './rules-field.css'
import { useState } from 'react'
import type { PageResponse } from '../../shared/contract/calls.ts'
import { TextChanges } from '../parts/text-changes.tsx'
import { ask } from '../store/bridge.ts'
import { editTexts } from '../store/edit-texts.ts'
import { errorText } from '../store/error-text.ts'
import { useAttempt } from '../store/use-attempt.ts'
import { wantTexts } from '../text/start-texts.ts'

/** The word rules of a recipe, and what they would do to texts that are there. Incomplete ones are a problem of the draft. */
export function RulesField({ draft: { rules, languages }, change, error }: FieldProps) {
  const [initialCount] = useState(rules.length)
  const put = (nth: number, rule: WordRule) => change({ rules: rules.map((known, n) => (n === nth ? rule : known)) })
  return (
    <div className="field rules-field" role="group" aria-label={t('recipe:rules.label')}>
      <span className="field-label">{t('recipe:rules.label')}</span>
      <div className="field-hint">{t('recipe:rules.hint')}</div>
      {rules.length === 0 ? null : (
        <ol>
          {rules.map((rule, nth) => (
            // Rules have no other identity than their place.
            <li key={nth}>
              <RuleRow
                isNew={nth >= initialCount}
                rule={rule}
                languages={languages}
                onChange={(changed) => put(nth, changed)}
                onRemove={() => change({ rules: rules.filter((_, n) => n !== nth) })}
              />
            </li>
          ))}
        </ol>
      )}
      <FieldError text={error} />
      <div className="row">
        <Button onClick={() => change({ rules: [...rules, newRule()] })}>
          <Plus size={14} aria-hidden />
          {t('recipe:rules.add')}
        </Button>
      </div>
      {rules.length === 0 ? null : <RuleTrial rules={rules} />}
    </div>
  )
}

interface RowProps {
  isNew: boolean
  rule: WordRule
  languages: readonly string[]
  onChange: (rule: WordRule) => void
  onRemove: () => void
}

function RuleRow({ isNew, rule, languages, onChange, onRemove }: RowProps) {
  const { kind, language } = rule
  const codes = [...new Set([...languages, ...(language === null ? [] : [language])])]
  return (
    <div className="rule-row">
      <Select
        autoFocus={isNew}
        aria-label={t('recipe:rules.kindLabel')}
        value={kind}
        onChange={(one) => onChange(ofKind(rule, one))}
        choices={RULE_KINDS.map((value) => ({ value, label: t(`recipe:rules.kind.${value}`) }))}
      />
      <Select
        aria-label={t('recipe:rules.language')}
        value={language ?? ''}
        onChange={(code) => onChange({ ...rule, language: code === '' ? null : code })}
        choices={[
          { value: '', label: t('recipe:rules.everyLanguage') },
          ...codes.map((code) => ({ value: code, label: languageName(code) })),
        ]}
      />
      {rule.kind === 'replace' ? (
        <Select
          aria-label={t('recipe:rules.atLabel')}
          value={rule.at}
          onChange={(at) => onChange({ ...rule, at })}
          choices={RULE_ANCHORS.map((value) => ({ value, label: t(`recipe:rules.at.${value}`) }))}
        />
      ) : (
        <span className="field-hint rule-flags">{t('recipe:rules.flags')}</span>
      )}
      <IconButton label={t('recipe:rules.remove')} onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
      <div className="rule-words columns">
        <RuleWords rule={rule} onChange={onChange} />
      </div>
    </div>
  )
}

function RuleWords({ rule, onChange }: Pick<RowProps, 'rule' | 'onChange'>) {
  const about = {
    maxLength: MAX_RULE_CHARS,
    dir: 'auto',
    autoComplete: 'off',
    ...(rule.language === null ? {} : { lang: rule.language }),
  } as const
  if (rule.kind === 'length')
    return (
      <TextField
        label={t('recipe:rules.most')}
        type="number"
        min={1}
        max={MAX_ALT_TEXT_CHARS}
        value={Number.isNaN(rule.most) ? '' : rule.most}
        onChange={({ target }) => onChange({ ...rule, most: target.value === '' ? NaN : Number(target.value) })}
      />
    )
  const field = (label: string, value: string, changed: (typed: string) => WordRule) => (
    <TextField label={label} value={value} {...about} onChange={({ target }) => onChange(changed(target.value))} />
  )
  if (rule.kind === 'never') return field(t('recipe:rules.words'), rule.words, (words) => ({ ...rule, words }))
  return (
    <>
      {field(t('recipe:rules.from'), rule.from, (from) => ({ ...rule, from }))}
      {field(t('recipe:rules.to'), rule.to, (to) => ({ ...rule, to }))}
    </>
  )
}

type Tried = PageResponse<'jobs.tryRules'>

const MAX_PICTURES = 2000
const MAX_SHOWN = 5

interface Outcome {
  /** The rules that were tried, to compare. */
  of: string
  tried: Tried | null
  failure: string | null
}

/** What the rules would change in texts that are there; and they do when a person says so, with a single undo. */
function RuleTrial({ rules }: { rules: readonly WordRule[] }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { isBusy, attempt } = useAttempt()
  const finished = finishedRules(rules)
  const key = JSON.stringify(finished)
  const run = (work: () => Promise<void>) =>
    attempt(async () => {
      await work()
      setOutcome({ of: key, ...(await tryOn(finished)) })
      return null
    })
  return (
    <div className="rule-trial stack tight">
      <div className="row">
        <Button disabled={isBusy || finished.length === 0} onClick={() => run(() => wantTexts('edits'))}>
          {t('recipe:rules.try')}
        </Button>
      </div>
      <div className="field-hint">{t('recipe:rules.tryHint')}</div>
      {outcome?.of === key ? (
        <Result {...outcome} isBusy={isBusy} onApply={(changes) => run(() => apply(changes))} />
      ) : null}
    </div>
  )
}

type Changes = Tried['found']

/** Shown once the texts about edits are loaded. */
function Result(given: Omit<Outcome, 'of'> & { isBusy: boolean; onApply: (changes: Changes) => void }) {
  const { tried, failure, isBusy, onApply } = given
  const changes = tried?.found ?? []
  const counts =
    tried === null || tried.texts === 0
      ? [t('recipe:rules.noTexts')]
      : [
          t('edits:found', { count: changes.length }),
          ...(tried.flagged.length === 0 ? [] : [t('recipe:rules.flagged', { count: tried.flagged.length })]),
          ...(tried.persons === 0 ? [] : [t('recipe:rules.persons', { count: tried.persons })]),
        ]
  return (
    <>
      <p role="status" className="caption">
        {failure ?? counts.join(' · ')}
      </p>
      {changes.length === 0 ? null : (
        <>
          <TextChanges
            list={changes.map(({ before, after, ...text }) => ({ ...text, changes: [{ before, after }] }))}
            most={MAX_SHOWN}
          />
          <div className="row">
            <Button disabled={isBusy} onClick={() => onApply(changes)}>
              {t('edits:import.run', { count: changes.length })}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

async function tryOn(rules: WordRule[]): Promise<Omit<Outcome, 'of'>> {
  const index = await ask('jobs.index', { filter: {} })
  const ids = index.ok ? index.value.sections.flatMap((section) => section.ids).slice(0, MAX_PICTURES) : []
  const answer = index.ok ? await ask('jobs.tryRules', { ids, rules }) : index
  return answer.ok ? { tried: answer.value, failure: null } : { tried: null, failure: errorText(answer.error) }
}

async function apply(changes: Changes): Promise<void> {
  const edits = changes.map(({ id, languageCode, before, after }) => ({
    id,
    languageCode,
    altText: { seen: before, to: after },
    seoFilename: null,
    byRule: true,
  }))
  await editTexts(edits)
}
