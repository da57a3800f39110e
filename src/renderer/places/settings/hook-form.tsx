import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageRequest, PageResponse } from '../../../shared/contract/calls.ts'
import { MAX_HOOK_ARGUMENT_CHARS, MAX_HOOK_ARGUMENTS, MAX_LOW_CREDITS } from '../../../shared/settings/hook-limits.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { Button } from '../../parts/button.tsx'
import { FieldError, Segmented, SelectField, TextArea, TextField } from '../../parts/field.tsx'
import { ask } from '../../store/bridge.ts'
import { errorText } from '../../store/error-text.ts'
import { toast } from '../../store/toasts.ts'
import { countText } from '../../text/figures.ts'

type Row = PageResponse<'hooks.list'>['hooks'][number]
type On = Row['when']['on']
type Kind = Row['target']['kind']
type Target = PageRequest<'hooks.save'>['target']

type Field = 'below' | 'program' | 'args' | 'address'
type Problem = { field: Field; text: string } | null

/** A hook as typed; the fields of the other kind and event are kept while a person looks at them. */
interface Draft {
  on: On
  below: string
  kind: Kind
  /** A null token keeps the program that the hook has. */
  program: { token: string | null; path: string } | null
  args: string
  url: string
}

interface PartProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  problemAt: (field: Field) => string | null
}

/** Sets one hook. The page names no program: a dialog of the system chooses it, and a box of the system asks about the whole. */
export function HookForm({ row, onClose }: { row: Row | null; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common'])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const { draft, change, problemAt, isBusy, pick, save } = useHookDraft(row, onClose)
  return (
    <form
      ref={form}
      noValidate
      className="settings-address"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) inBackground('hook-form.save', save)
      }}
    >
      <WhenFields draft={draft} change={change} problemAt={problemAt} />
      <div className="field">
        <div className="field-label">{t('hooks.what')}</div>
        <Segmented
          label={t('hooks.what')}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          choices={[
            { value: 'program', label: t('hooks.runs') },
            { value: 'address', label: t('hooks.posts') },
          ]}
        />
      </div>
      {draft.kind === 'program' ? (
        <ProgramFields
          draft={draft}
          change={change}
          problemAt={problemAt}
          onPick={() => inBackground('hook-form.pick', pick)}
        />
      ) : (
        <TextField
          label={t('hooks.address')}
          hint={t('hooks.addressHint')}
          error={problemAt('address')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          placeholder="https://"
          value={draft.url}
          onChange={({ target }) => change({ url: target.value })}
        />
      )}
      <p className="field-hint">{t('hooks.asks')}</p>
      <div className="settings-buttons">
        <Button type="submit" kind="primary" disabled={isBusy}>
          {t('hooks.save')}
        </Button>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
      </div>
    </form>
  )
}

function WhenFields({ draft: { on, below }, change, problemAt }: PartProps) {
  const { t } = useTranslation('settings')
  return (
    <>
      <SelectField
        label={t('hooks.when')}
        value={on}
        onChange={(value) => change({ on: value })}
        choices={(['done', 'attention', 'low_credits'] as const).map((value) => ({
          value,
          label: t(`hooks.on.${value}`),
        }))}
      />
      {on === 'low_credits' ? (
        <TextField
          label={t('hooks.below')}
          error={problemAt('below')}
          inputMode="numeric"
          className="input figures settings-number"
          value={below}
          onChange={({ target }) => change({ below: target.value })}
        />
      ) : null}
    </>
  )
}

function ProgramFields({ draft: { program, args }, change, problemAt, onPick }: PartProps & { onPick: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <div className="field">
        <div className="field-label">{t('hooks.program')}</div>
        {program === null ? null : (
          <bdi className="settings-command" dir="ltr">
            {straightText(program.path)}
          </bdi>
        )}
        <div>
          <Button onClick={onPick}>{t('hooks.pick')}</Button>
        </div>
        <FieldError text={problemAt('program')} />
      </div>
      <TextArea
        label={t('hooks.args')}
        hint={t('hooks.argsHint')}
        error={problemAt('args')}
        rows={3}
        spellCheck={false}
        dir="ltr"
        value={args}
        onChange={({ target }) => change({ args: target.value })}
      />
    </>
  )
}

function draftOf(row: Row | null): Draft {
  const program = row?.target.kind === 'program' ? row.target : null
  return {
    on: row?.when.on ?? 'done',
    below: row?.when.on === 'low_credits' ? String(row.when.below) : '',
    kind: row?.target.kind ?? 'program',
    program: program === null ? null : { token: null, path: program.file },
    args: program?.args.join('\n') ?? '',
    url: row?.target.kind === 'address' ? row.target.url : '',
  }
}

function useHookDraft(row: Row | null, onSaved: () => void) {
  const { t, i18n } = useTranslation('settings')
  const [draft, setDraft] = useState(() => draftOf(row))
  const [problem, setProblem] = useState<Problem>(null)
  const [isBusy, setBusy] = useState(false)
  const pick = async () => {
    const result = await ask('hooks.pickProgram', {})
    if (!result.ok) return setProblem({ field: 'program', text: errorText(result.error) })
    const { program } = result.value
    if (program === null) return
    setDraft((before) => ({ ...before, program }))
    setProblem(null)
  }
  const save = async () => {
    const hook = readDraft(draft)
    if ('wrong' in hook) {
      const most = hook.wrong === 'args' ? MAX_HOOK_ARGUMENT_CHARS : MAX_LOW_CREDITS
      const figures = { figure: countText(most, i18n.language), most: MAX_HOOK_ARGUMENTS }
      return setProblem({ field: hook.wrong, text: t(WRONG[hook.wrong], figures) })
    }
    setBusy(true)
    const result = await ask('hooks.save', { id: row?.id ?? null, ...hook })
    setBusy(false)
    if (!result.ok) return setProblem({ field: draft.kind, text: errorText(result.error) })
    toast(t(result.value.saved ? 'hooks.saved' : 'hooks.notSaved'))
    if (result.value.saved) onSaved()
  }
  return {
    draft,
    change: (part: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...part }))
      setProblem(null)
    },
    problemAt: (field: Field) => (problem?.field === field ? problem.text : null),
    isBusy,
    pick,
    save,
  }
}

const WRONG = {
  below: 'hooks.belowRange',
  program: 'hooks.programNeeded',
  args: 'hooks.argsMany',
  address: 'hooks.addressNeeded',
} as const satisfies Record<Field, string>

/** What is to be stored, or the field that keeps it from being stored. */
function readDraft({
  on,
  below,
  kind,
  program,
  args,
  url,
}: Draft): Pick<PageRequest<'hooks.save'>, 'when' | 'target'> | { wrong: Field } {
  const figure = /^\d+$/.test(below.trim()) ? Number(below) : NaN
  if (on === 'low_credits' && !(figure >= 1 && figure <= MAX_LOW_CREDITS)) return { wrong: 'below' }
  const when = on === 'low_credits' ? { on, below: figure } : { on }
  if (kind === 'address')
    return url.trim() === '' ? { wrong: 'address' } : { when, target: { kind, url: url.trim() } satisfies Target }
  if (program === null) return { wrong: 'program' }
  const lines = args.replace(/\n+$/, '')
  const list = lines === '' ? [] : lines.split('\n')
  if (list.length > MAX_HOOK_ARGUMENTS || list.some((arg) => arg.length > MAX_HOOK_ARGUMENT_CHARS))
    return { wrong: 'args' }
  return { when, target: { kind, program: program.token, args: list } satisfies Target }
}
