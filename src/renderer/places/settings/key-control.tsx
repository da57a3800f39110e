import type { TFunction } from 'i18next'
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
import { KeyForm, type KeyVerdict } from './key-form.tsx'
import { SettingRow } from './section.tsx'

interface KeyControlProps {
  name: 'image' | 'chargers'
  /** Called when trying a key found that the address is to blame, and with null when it is not. */
  onAddressProblem: (text: string | null) => void
}

/** Whether there is a key and where; setting, testing and deleting it. The key itself is never shown. */
export function KeyControl({ name, onAddressProblem }: KeyControlProps) {
  const { t } = useTranslation('settings')
  const { status, read } = useKeyStatus(name)
  const [isTyping, setTyping] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [verdict, setVerdict] = useState<KeyVerdict | null>(null)
  const words = useKeyWords()
  if (status === null) return null
  const test = async () => {
    setVerdict(null)
    const { addressProblem, ...found } = await testKey(name, t)
    onAddressProblem(addressProblem)
    setVerdict(found)
  }
  const remove = async () => {
    setAsking(false)
    await askOrToast('keys.delete', { name, address: status.origin })
    setVerdict(null)
    await read()
  }
  return (
    <>
      <SettingRow label={name === 'image' ? t('key') : t('token')} hint={words.status(status)}>
        {status.present && !isTyping ? (
          <KeyButtons
            isFixed={status.place === 'environment'}
            onTest={() => inBackground('key-control.test', test)}
            onReplace={() => setTyping(true)}
            onDelete={() => setAsking(true)}
          />
        ) : null}
      </SettingRow>
      {verdict === null ? null : <Verdict {...verdict} />}
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
        <DeleteQuestion
          origin={status.origin}
          onNo={() => setAsking(false)}
          onYes={() => inBackground('key-control.remove', remove)}
        />
      ) : null}
    </>
  )
}

function Verdict({ isGood, text }: KeyVerdict) {
  return (
    <p role="status" className={isGood ? 'settings-good' : 'field-error'}>
      {text}
    </p>
  )
}

function KeyButtons({
  isFixed,
  onTest,
  onReplace,
  onDelete,
}: {
  isFixed: boolean
  onTest: () => void
  onReplace: () => void
  onDelete: () => void
}) {
  const { t } = useTranslation('settings')
  return (
    <div className="settings-buttons">
      <Button onClick={onTest}>{t('testKey')}</Button>
      {isFixed ? null : (
        <>
          <Button onClick={onReplace}>{t('replaceKey')}</Button>
          <Button kind="danger" onClick={onDelete}>
            {t('deleteKey')}
          </Button>
        </>
      )}
    </div>
  )
}

async function testKey(
  name: KeyControlProps['name'],
  t: TFunction<'settings'>,
): Promise<KeyVerdict & { addressProblem: string | null }> {
  const result = await ask('keys.test', { name })
  const { accepted: isGood, problem } = result.ok ? result.value : { accepted: false, problem: result.error }
  const text = problem === null ? t('keyAccepted') : errorText(problem)
  return problem !== null && isOfAddress(problem)
    ? { isGood, text: t('keyUnchecked', { why: '' }).trim(), addressProblem: text }
    : { isGood, text, addressProblem: null }
}

function DeleteQuestion({ origin, onNo, onYes }: { origin: string | null; onNo: () => void; onYes: () => void }) {
  const { t } = useTranslation(['settings', 'common'])
  return (
    <Dialog
      title={t('deleteKeyAsk', { origin: origin ?? '' })}
      onClose={onNo}
      actions={
        <>
          <Button onClick={onNo}>{t('common:cancel')}</Button>
          <Button kind="danger" onClick={onYes}>
            {t('deleteKey')}
          </Button>
        </>
      }
    >
      <p>{t('deleteKeyMeans')}</p>
    </Dialog>
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
