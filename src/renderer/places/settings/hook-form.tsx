import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageRequest, PageResponse } from '../../../shared/contract/calls.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { Button } from '../../parts/button.tsx'
import { Segmented, SelectField, TextArea, TextField } from '../../parts/field.tsx'
import { ask } from '../../store/bridge.ts'
import { errorText } from '../../store/error-text.ts'
import { toast } from '../../store/toasts.ts'
import { countText } from '../../text/figures.ts'

type Row = PageResponse<'hooks.list'>['hooks'][number]
type On = Row['when']['on']
type Kind = Row['target']['kind']
type Target = PageRequest<'hooks.save'>['target']

const MOST_BELOW = 1_000_000_000
const MAX_ARGS = 20
const MAX_ARG = 1000

type Problem = { field: 'below' | 'program' | 'args' | 'address'; text: string } | null

/** Sets one hook. The page names no program: a dialog of the system chooses it, and a box of the system asks about the whole. */
export function HookForm({ row, onClose }: { row: Row | null; onClose: () => void }) {
  const { t, i18n } = useTranslation(['settings', 'common'])
  const form = useRef<HTMLFormElement>(null)
  const [on, setOn] = useState<On>(row?.when.on ?? 'done')
  const [below, setBelow] = useState(row?.when.on === 'low_credits' ? String(row.when.below) : '')
  const [kind, setKind] = useState<Kind>(row?.target.kind ?? 'program')
  const before = row?.target.kind === 'program' ? row.target : null
  /** A null token keeps the program that the hook has. */
  const [program, setProgram] = useState(before === null ? null : { token: null as string | null, path: before.file })
  const [args, setArgs] = useState(before?.args.join('\n') ?? '')
  const [url, setUrl] = useState(row?.target.kind === 'address' ? row.target.url : '')
  const [problem, setProblem] = useState<Problem>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const problemAt = (field: NonNullable<Problem>['field']) => (problem?.field === field ? problem.text : null)
  const range = t('hooks.belowRange', { figure: countText(MOST_BELOW, i18n.language) })

  const pick = async () => {
    const result = await ask('hooks.pickProgram', {})
    if (!result.ok) return setProblem({ field: 'program', text: errorText(result.error) })
    if (result.value.program === null) return
    setProgram(result.value.program)
    setProblem(null)
  }
  /** What is to be stored; null once a problem is shown. */
  const given = (): Pick<PageRequest<'hooks.save'>, 'when' | 'target'> | null => {
    const say = (field: NonNullable<Problem>['field'], text: string) => {
      setProblem({ field, text })
      return null
    }
    const figure = /^\d+$/.test(below.trim()) ? Number(below) : NaN
    if (on === 'low_credits' && !(figure >= 1 && figure <= MOST_BELOW)) return say('below', range)
    const when = on === 'low_credits' ? { on, below: figure } : { on }
    if (kind === 'address')
      return url.trim() === ''
        ? say('address', t('hooks.addressNeeded'))
        : { when, target: { kind, url: url.trim() } satisfies Target }
    if (program === null) return say('program', t('hooks.programNeeded'))
    const lines = args.replace(/\n+$/, '')
    const list = lines === '' ? [] : lines.split('\n')
    if (list.length > MAX_ARGS || list.some((arg) => arg.length > MAX_ARG)) return say('args', t('hooks.argsMany'))
    return { when, target: { kind, program: program.token, args: list } satisfies Target }
  }
  const save = async () => {
    const hook = given()
    if (hook === null) return
    setBusy(true)
    const result = await ask('hooks.save', { id: row?.id ?? null, ...hook })
    setBusy(false)
    if (!result.ok) return setProblem({ field: kind, text: errorText(result.error) })
    toast(t(result.value.saved ? 'hooks.saved' : 'hooks.notSaved'))
    if (result.value.saved) onClose()
  }
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
      <SelectField
        label={t('hooks.when')}
        value={on}
        onChange={setOn}
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
          onChange={(event) => setBelow(event.target.value)}
        />
      ) : null}
      <div className="field">
        <div className="field-label">{t('hooks.what')}</div>
        <Segmented
          label={t('hooks.what')}
          value={kind}
          onChange={setKind}
          choices={[
            { value: 'program', label: t('hooks.runs') },
            { value: 'address', label: t('hooks.posts') },
          ]}
        />
      </div>
      {kind === 'program' ? (
        <>
          <div className="field">
            <div className="field-label">{t('hooks.program')}</div>
            {program === null ? null : (
              <bdi className="settings-command" dir="ltr">
                {straightText(program.path)}
              </bdi>
            )}
            <div>
              <Button onClick={() => inBackground('hook-form.pick', pick)}>{t('hooks.pick')}</Button>
            </div>
            {problemAt('program') === null ? null : (
              <div className="field-error" role="alert">
                {problemAt('program')}
              </div>
            )}
          </div>
          <TextArea
            label={t('hooks.args')}
            hint={t('hooks.argsHint')}
            error={problemAt('args')}
            rows={3}
            spellCheck={false}
            dir="ltr"
            value={args}
            onChange={(event) => setArgs(event.target.value)}
          />
        </>
      ) : (
        <TextField
          label={t('hooks.address')}
          hint={t('hooks.addressHint')}
          error={problemAt('address')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          placeholder="https://"
          value={url}
          onChange={(event) => {
            setUrl(event.target.value)
            setProblem(null)
          }}
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
