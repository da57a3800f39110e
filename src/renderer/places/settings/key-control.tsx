import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../../shared/contract/keys.ts'
import { ask, askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useShell } from '../../store/shell-store.ts'
import { errorText, isOfAddress } from '../../store/error-text.ts'
import { useKeyWords } from '../../text/use-key-words.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { toast } from '../../store/toasts.ts'
import { KeyForm, type KeyVerdict } from './key-form.tsx'
import { SettingRow } from './section.tsx'

/** Whether there is a key and where; setting, testing and deleting it. The key itself is never shown. */
export function KeyControl({
  name,
  onAddressProblem,
}: {
  name: 'image' | 'chargers'
  /** Called when trying a key found that the address is to blame, and with null when it is not. */
  onAddressProblem: (text: string | null) => void
}) {
  const { t } = useTranslation(['settings', 'common'])
  const { status, read } = useKeyStatus(name)
  const [isTyping, setTyping] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [verdict, setVerdict] = useState<KeyVerdict | null>(null)
  const words = useKeyWords()
  if (status === null) return null
  const test = async () => {
    setVerdict(null)
    const result = await ask('keys.test', { name })
    const { accepted, problem } = result.ok ? result.value : { accepted: false, problem: result.error }
    const text = problem === null ? t('keyAccepted') : errorText(problem)
    const ofAddress = problem !== null && isOfAddress(problem)
    onAddressProblem(ofAddress ? text : null)
    setVerdict({ isGood: accepted, text: ofAddress ? t('keyUnchecked', { why: '' }).trim() : text })
  }
  const remove = async () => {
    setAsking(false)
    if ((await askOrToast('keys.delete', { name, address: status.origin })) !== null) toast(t('keyDeleted'))
    setVerdict(null)
    await read()
  }
  return (
    <>
      <SettingRow label={name === 'image' ? t('key') : t('token')} hint={words.status(status)}>
        {status.present && !isTyping ? (
          <div className="settings-buttons">
            <Button onClick={() => inBackground('key-control.test', test)}>{t('testKey')}</Button>
            {status.place === 'environment' ? null : (
              <>
                <Button onClick={() => setTyping(true)}>{t('replaceKey')}</Button>
                <Button kind="danger" onClick={() => setAsking(true)}>
                  {t('deleteKey')}
                </Button>
              </>
            )}
          </div>
        ) : null}
      </SettingRow>
      {verdict === null ? null : (
        <p role="status" className={verdict.isGood ? 'settings-good' : 'field-error'}>
          {verdict.text}
        </p>
      )}
      {status.present && !isTyping ? null : (
        <KeyForm
          name={name}
          status={status}
          onCancel={status.present ? () => setTyping(false) : null}
          // A key that another window sets meanwhile does not take the form away.
          onTyped={() => setTyping(true)}
          onAddressProblem={onAddressProblem}
          onSet={async (check) => {
            setTyping(false)
            setVerdict(check)
            await read()
          }}
        />
      )}
      {isAsking ? (
        <Dialog
          title={t('deleteKeyAsk', { origin: status.origin ?? '' })}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{t('common:cancel')}</Button>
              <Button kind="danger" onClick={() => inBackground('key-control.remove', remove)}>
                {t('deleteKey')}
              </Button>
            </>
          }
        >
          <p>{t('deleteKeyMeans')}</p>
        </Dialog>
      ) : null}
    </>
  )
}

/** Read at once, and again when the engine reports a change, also by another window. */
function useKeyStatus(name: 'image' | 'chargers') {
  const hasKey = useShell(({ state }) => state?.service?.hasKey)
  const version = useShell(({ state }) => state?.versions.keys)
  const [status, setStatus] = useState<KeyStatus | null>(null)
  const read = useCallback(async () => setStatus(await askOrToast('keys.status', { name })), [name])
  useEffect(() => {
    inBackground('key-control.read', read)
  }, [read, hasKey, version])
  return { status, read }
}
