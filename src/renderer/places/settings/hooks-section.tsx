import { useEffect } from 'react'
import { t } from 'i18next'
import type { PageResponse } from '../../../shared/contract/calls.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { Button } from '../../parts/button.tsx'
import { useNow } from '../../parts/use-now.ts'
import { askOrToast } from '../../store/bridge.ts'
import { errorText, sentenceIn } from '../../store/error-text.ts'
import { useCan, useShell } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { exactTimeText, relativeText } from '../../text/figures.ts'
import { SettingRow } from './section.tsx'

type Row = PageResponse<'hooks.list'>['hooks'][number]

export function HooksSection() {
  const version = useShell(({ state }) => state?.versions.hooks ?? 0)
  const { value, error, again } = useAnswer('hooks.list', {}, 0, version)
  const canShow = useCan('reveal')
  useEffect(() => {
    // A person who comes back may have written the file.
    addEventListener('focus', again)
    return () => removeEventListener('focus', again)
  }, [again])
  if (error !== null) return <p role="alert">{errorText(error)}</p>
  if (value === null) return null
  const { file, hooks, problem } = value
  return (
    <>
      <p className="field-hint">{t('settings:hooks.hint')}</p>
      {problem === null ? null : (
        <p className="field-error" role="alert">
          {sentenceIn(problem)}
        </p>
      )}
      {hooks.length > 0 ? (
        <ul className="stack loose" aria-label={t('settings:hooks.list')}>
          {hooks.map((row, nth) => (
            <li key={nth} className="stack tight">
              <HookLine row={row} />
            </li>
          ))}
        </ul>
      ) : problem === null ? (
        <p className="secondary">{t('settings:hooks.none')}</p>
      ) : null}
      <SettingRow
        label={t('settings:hooks.file')}
        hint={
          <bdi className="mono breaks" dir="ltr">
            {straightText(file)}
          </bdi>
        }
      >
        {canShow ? (
          <Button onClick={() => askOrToast('hooks.showFile', {})}>{t('reasons:step.show_file.label')}</Button>
        ) : null}
      </SettingRow>
    </>
  )
}

function HookLine({ row: { hook, last } }: { row: Row }) {
  const nowMs = useNow()
  const command = hook.post ?? (hook.run ?? []).map(quoted).join(' ')
  const label =
    hook.below === undefined
      ? t(`settings:hooks.on.${hook.on}`)
      : t('settings:hooks.belowFigure', { count: hook.below })
  const when = last === null ? '' : relativeText(Math.min(last.atMs, nowMs), nowMs)
  const outcome = (): string => {
    if (last === null) return t('settings:hooks.never')
    return last.why === null
      ? t('settings:hooks.ran', { when })
      : t('settings:hooks.failed', { when, why: sentenceIn(last.why) })
  }
  return (
    <>
      <div className="field-label">{label}</div>
      <bdi className="mono breaks" dir="ltr">
        {straightText(command)}
      </bdi>
      <div
        role="status"
        className={last?.why == null ? 'field-hint' : 'field-error'}
        title={last === null ? undefined : exactTimeText(last.atMs)}
      >
        {outcome()}
      </div>
    </>
  )
}

const quoted = (part: string) => (/^[\w./:=@%+,-]+$/.test(part) ? part : JSON.stringify(part))
