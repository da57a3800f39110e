import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../../shared/contract/keys.ts'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { errorText, isOfAddress } from '../../store/error-text.ts'
import { useKeyWords } from '../../text/use-key-words.ts'
import { Button } from '../../parts/button.tsx'
import { Segmented, TextField } from '../../parts/field.tsx'
import { toast } from '../../store/toasts.ts'

interface KeyFormProps {
  name: 'image' | 'chargers'
  /** Its origin is the address that the key is meant for; the key is not stored if another one is in use by then. */
  status: KeyStatus
  onCancel: (() => void) | null
  onTyped: () => void
  /** Called when the address is to blame for a key that could not be tried, and with null when it is not. */
  onAddressProblem: (text: string | null) => void
  onSet: (verdict: KeyVerdict) => Promise<void>
}

/** The service's answer about the stored key. */
export interface KeyVerdict {
  isGood: boolean
  text: string
}

const ACCOUNTS = { same: true, other: false, unknown: null } as const

/**
 * Takes a key, after explaining where it is stored. The key is only in this field, and only until it is set; one that the service
 * refuses stays there to be corrected, or to be stored nevertheless.
 */
export function KeyForm({ name, status, onCancel, onTyped, onAddressProblem, onSet }: KeyFormProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [key, setKey] = useState('')
  const [account, setAccount] = useState<keyof typeof ACCOUNTS>('same')
  const [problem, setProblem] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [knownSetAtMs] = useState(status.setAtMs)
  const words = useKeyWords()
  // Whether the account is the same decides about pictures in flight.
  const asksAccount = status.present && name === 'image'
  const save = async (keepRefused: boolean) => {
    const sameAccount = asksAccount ? ACCOUNTS[account] : null
    setBusy(true)
    const result = await ask('keys.set', { name, key: key.trim(), address: status.origin, sameAccount, keepRefused })
    setBusy(false)
    const refused = !result.ok && result.error.code === 'key_refused'
    setRefused(refused)
    if (!result.ok) {
      setProblem(refused ? t('keyRefused') : errorText(result.error))
      if (!refused) setKey('')
      return
    }
    setKey('')
    setProblem(null)
    const { check, problem: why, place } = result.value
    if (check !== 'refused') toast(t(place === 'memory' ? 'keySavedInMemory' : 'keySaved'))
    const ofAddress = why !== null && isOfAddress(why)
    onAddressProblem(ofAddress ? errorText(why) : null)
    const texts = {
      accepted: () => t('keyAccepted'),
      refused: () => t('keyRefusedKept'),
      unchecked: () => t('keyUnchecked', { why: why === null || ofAddress ? '' : errorText(why) }).trim(),
    }
    await onSet({ isGood: check === 'accepted', text: texts[check]() })
  }
  return (
    <form
      noValidate
      className="settings-key"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() === '') setProblem(t('keyNeeded'))
        else if (!isBusy) inBackground('key-form.save', () => save(false))
      }}
    >
      <TextField
        label={name === 'image' ? t('keyField') : t('tokenField')}
        hint={words.hint(status)}
        error={problem}
        type="password"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={key}
        onChange={(event) => {
          setKey(event.target.value)
          onTyped()
          setRefused(false)
          setProblem(null)
        }}
      />
      {key !== '' && status.present && status.setAtMs !== knownSetAtMs ? (
        <p role="alert">{t('keySetElsewhere')}</p>
      ) : null}
      {asksAccount ? (
        <div className="field">
          <div className="field-label">{t('sameAccount')}</div>
          <Segmented
            label={t('sameAccount')}
            value={account}
            onChange={setAccount}
            choices={[
              { value: 'same', label: t('accountSame') },
              { value: 'other', label: t('accountOther') },
              { value: 'unknown', label: t('accountUnknown') },
            ]}
          />
          {account === 'other' ? <div className="field-hint">{t('accountOtherMeans')}</div> : null}
        </div>
      ) : null}
      <div className="settings-buttons">
        <Button type="submit" kind="primary" disabled={isBusy}>
          {t('setKey')}
        </Button>
        {isRefused ? (
          <Button disabled={isBusy} onClick={() => inBackground('key-form.save', () => save(true))}>
            {t('keepRefused')}
          </Button>
        ) : null}
        {onCancel === null ? null : <Button onClick={onCancel}>{t('common:cancel')}</Button>}
      </div>
    </form>
  )
}
