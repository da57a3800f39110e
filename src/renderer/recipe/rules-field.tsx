import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RuleAnchor, WordRule } from '../../shared/recipes/word-rules.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS } from '../../shared/recipes/limits.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { FieldError, TextField } from '../parts/field.tsx'
import { languageName } from './language-names.ts'
import { RuleTrial } from './rule-trial.tsx'
import { newRule, ofKind, RULE_ANCHORS, RULE_KINDS } from './rule-draft.ts'
import './rules-field.css'

/** The word rules of a recipe, and what they would do to texts that are there. Incomplete ones are a problem of the draft. */
export function RulesField(given: {
  rules: readonly WordRule[]
  languages: readonly string[]
  onChange: (rules: WordRule[]) => void
  error: string | null
}) {
  const { rules, languages, onChange, error } = given
  const { t } = useTranslation('recipe')
  const put = (nth: number, rule: WordRule) => onChange(rules.map((known, n) => (n === nth ? rule : known)))
  return (
    <div className="field rules-field" role="group" aria-label={t('rules.label')}>
      <span className="field-label">{t('rules.label')}</span>
      <div className="field-hint">{t('rules.hint')}</div>
      {rules.length === 0 ? null : (
        <ol>
          {rules.map((rule, nth) => (
            // Rules have no other identity than their place.
            <li key={nth}>
              <RuleRow
                rule={rule}
                languages={languages}
                onChange={(changed) => put(nth, changed)}
                onRemove={() => onChange(rules.filter((_, n) => n !== nth))}
              />
            </li>
          ))}
        </ol>
      )}
      <FieldError text={error} />
      <div className="rules-buttons">
        <Button onClick={() => onChange([...rules, newRule()])}>
          <Plus size={14} aria-hidden />
          {t('rules.add')}
        </Button>
      </div>
      {rules.length === 0 ? null : <RuleTrial rules={rules} />}
    </div>
  )
}

interface RowProps {
  rule: WordRule
  languages: readonly string[]
  onChange: (rule: WordRule) => void
  onRemove: () => void
}

function RuleRow({ rule, languages, onChange, onRemove }: RowProps) {
  const { t, i18n } = useTranslation('recipe')
  const { kind, language } = rule
  const codes = [...new Set([...languages, ...(language === null ? [] : [language])])]
  return (
    <div className="rule-row">
      <select
        className="select"
        aria-label={t('rules.kindLabel')}
        value={kind}
        onChange={({ target }) => onChange(ofKind(rule, target.value as WordRule['kind']))}
      >
        {RULE_KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`rules.kind.${one}`)}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label={t('rules.language')}
        value={language ?? ''}
        onChange={({ target }) => onChange({ ...rule, language: target.value === '' ? null : target.value })}
      >
        <option value="">{t('rules.everyLanguage')}</option>
        {codes.map((code) => (
          <option key={code} value={code}>
            {languageName(code, i18n.language)}
          </option>
        ))}
      </select>
      {rule.kind === 'replace' ? (
        <select
          className="select"
          aria-label={t('rules.atLabel')}
          value={rule.at}
          onChange={({ target }) => onChange({ ...rule, at: target.value as RuleAnchor })}
        >
          {RULE_ANCHORS.map((at) => (
            <option key={at} value={at}>
              {t(`rules.at.${at}`)}
            </option>
          ))}
        </select>
      ) : (
        <span className="field-hint rule-flags">{t('rules.flags')}</span>
      )}
      <IconButton label={t('rules.remove')} onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
      <div className="rule-words">
        <RuleWords rule={rule} onChange={onChange} />
      </div>
    </div>
  )
}

function RuleWords({ rule, onChange }: Pick<RowProps, 'rule' | 'onChange'>) {
  const { t } = useTranslation('recipe')
  const about = {
    maxLength: MAX_RULE_CHARS,
    dir: 'auto',
    autoComplete: 'off',
    ...(rule.language === null ? {} : { lang: rule.language }),
  } as const
  if (rule.kind === 'length')
    return (
      <TextField
        label={t('rules.most')}
        type="number"
        min={1}
        max={MAX_ALT_TEXT_CHARS}
        value={Number.isNaN(rule.most) ? '' : rule.most}
        onChange={({ target }) => onChange({ ...rule, most: target.value === '' ? NaN : Number(target.value) })}
      />
    )
  if (rule.kind === 'never')
    return (
      <TextField
        label={t('rules.words')}
        value={rule.words}
        {...about}
        onChange={({ target }) => onChange({ ...rule, words: target.value })}
      />
    )
  return (
    <>
      <TextField
        label={t('rules.from')}
        value={rule.from}
        {...about}
        onChange={({ target }) => onChange({ ...rule, from: target.value })}
      />
      <TextField
        label={t('rules.to')}
        value={rule.to}
        {...about}
        onChange={({ target }) => onChange({ ...rule, to: target.value })}
      />
    </>
  )
}
