import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageResponse } from '../../../shared/contract/calls.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { Button } from '../../parts/button.tsx'
import { useNow } from '../../parts/use-now.ts'
import { askOrToast } from '../../store/bridge.ts'
import { errorText, sentenceIn } from '../../store/error-text.ts'
import { useShell } from '../../store/shell-store.ts'
import { toast } from '../../store/toasts.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { countText, exactTimeText, relativeText } from '../../text/figures.ts'
import { HookForm } from './hook-form.tsx'
import { SettingRow } from './section.tsx'

type Listed = PageResponse<'hooks.list'>
type Row = Listed['hooks'][number]

const EVERY_MS = 15_000

/** The hooks of the desktop app: how each ended last, a trial, and setting them, which a box of the system confirms. */
export function HooksSection() {
  const { t } = useTranslation('settings')
  const { value, error, again } = useAnswer('hooks.list', {})
  const version = useShell(({ state }) => state?.versions.hooks)
  useEffect(again, [again, version])
  /** The id of the hook that is being changed; null for a new one, undefined for none. */
  const [edited, setEdited] = useState<string | null>()
  if (error !== null) return <p role="alert">{errorText(error)}</p>
  if (value === null) return null
  const { hooks, secret } = value
  const close = () => {
    setEdited(undefined)
    focusTitle()
  }
  return (
    <div className="settings-rows">
      <p className="field-hint">{t('hooks.hint')}</p>
      {hooks.length === 0 ? null : (
        <ul className="settings-rows" aria-label={t('hooks.list')}>
          {hooks.map((row) => (
            <li key={row.id} className="settings-hook">
              <HookLine row={row} onChange={() => setEdited(row.id)} />
              {edited === row.id ? <HookForm row={row} onClose={close} /> : null}
            </li>
          ))}
        </ul>
      )}
      {edited === null ? (
        <HookForm row={null} onClose={close} />
      ) : (
        <div className="settings-buttons">
          <Button onClick={() => setEdited(null)}>{t('hooks.add')}</Button>
        </div>
      )}
      <SecretRow secret={secret} />
    </div>
  )
}

/** What had the focus is gone. */
function focusTitle(): void {
  document.getElementById('settings-hooks-title')?.focus({ preventScroll: true })
}

function HookLine({ row, onChange }: { row: Row; onChange: () => void }) {
  const { t, i18n } = useTranslation('settings')
  const [isTrying, setTrying] = useState(false)
  const { id, when, target } = row
  const command = target.kind === 'program' ? [target.file, ...target.args].map(quoted).join(' ') : target.url
  const name = target.kind === 'program' ? (target.file.split(/[\\/]/).at(-1) ?? '') : new URL(target.url).host
  const label =
    when.on === 'low_credits'
      ? t('hooks.belowFigure', { figure: countText(when.below, i18n.language) })
      : t(`hooks.on.${when.on}`)
  const named = (action: string) => t('hooks.named', { action, hook: `${label}, ${name}` })
  const tryIt = async () => {
    setTrying(true)
    await askOrToast('hooks.try', { id })
    setTrying(false)
  }
  const remove = async () => {
    if ((await askOrToast('hooks.remove', { id })) === null) return
    toast(t('hooks.removed'))
    focusTitle()
  }
  return (
    <SettingRow
      label={label}
      hint={
        <>
          <bdi className="settings-command" dir="ltr">
            {straightText(command)}
          </bdi>
          <Outcome row={row} isTrying={isTrying} />
        </>
      }
    >
      <div className="settings-buttons">
        <Button
          disabled={isTrying}
          aria-label={named(t('hooks.try'))}
          onClick={() => inBackground('hooks-section.try', tryIt)}
        >
          {t('hooks.try')}
        </Button>
        <Button aria-label={named(t('hooks.change'))} onClick={onChange}>
          {t('hooks.change')}
        </Button>
        <Button
          kind="quiet"
          aria-label={named(t('hooks.remove'))}
          onClick={() => inBackground('hooks-section.remove', remove)}
        >
          {t('hooks.remove')}
        </Button>
      </div>
    </SettingRow>
  )
}

const quoted = (part: string) => (/^[\w./:=@%+,-]+$/.test(part) ? part : JSON.stringify(part))

/** How it ended last, and when. */
function Outcome({ row: { last }, isTrying }: { row: Row; isTrying: boolean }) {
  const { t, i18n } = useTranslation('settings')
  const nowMs = useNow(EVERY_MS)
  const words = (): string => {
    if (isTrying) return t('hooks.trying')
    if (last === null) return t('hooks.never')
    const when = relativeText(Math.min(last.atMs, nowMs), nowMs, i18n.language)
    if (last.why === null) return t(last.isTrial ? 'hooks.tried' : 'hooks.ran', { when })
    return t(last.isTrial ? 'hooks.triedFailed' : 'hooks.failed', { when, why: sentenceIn(last.why) })
  }
  const hasFailed = !isTrying && last !== null && last.why !== null
  return (
    <div
      role="status"
      className={hasFailed ? 'field-error' : undefined}
      title={last === null ? undefined : exactTimeText(last.atMs, i18n.language)}
    >
      {words()}
    </div>
  )
}

/** Where the secret of the signature is; a new one is shown by a box of the system. */
function SecretRow({ secret: { present, setAtMs, place, because } }: { secret: Listed['secret'] }) {
  const { t, i18n } = useTranslation('settings')
  const words = (): string => {
    if (setAtMs === null) return t('hooks.secretNone')
    if (!present) return t('hooks.secretLost')
    if (place === 'keychain') return t('hooks.secretIn.keychain', { when: exactTimeText(setAtMs, i18n.language) })
    return t('hooks.secretIn.memory', { why: because === null ? '' : t(`keychainTrouble.${because}`) }).trimEnd()
  }
  const renew = async () => {
    const answer = await askOrToast('hooks.renewSecret', {})
    if (answer?.renewed === true) toast(t('hooks.renewed'))
  }
  return (
    <SettingRow label={t('hooks.secret')} hint={words()}>
      {setAtMs === null ? null : (
        <Button onClick={() => inBackground('hooks-section.renew', renew)}>{t('hooks.renew')}</Button>
      )}
    </SettingRow>
  )
}
