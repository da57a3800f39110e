import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../../shared/contract/keys.ts'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { errorText, isOfAddress } from '../../store/error-text.ts'
import { useKeyWords } from '../../text/use-key-words.ts'
import { Button } from '../../parts/button.tsx'
import { Segmented, TextField } from '../../parts/field.tsx'

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

/** Whether the new key is of the account of the old one. */
const ACCOUNTS = { same: true, other: false, unknown: null } as const
type Account = keyof typeof ACCOUNTS

/** Takes a key, after explaining where it is stored. */
export function KeyForm(given: KeyFormProps) {
  const { name, status, onCancel, onTyped } = given
  const { t } = useTranslation(['settings', 'common'])
  const [account, setAccount] = useState<Account>('same')
  // Whether the account is the same decides about pictures in flight.
  const asksAccount = status.present && name === 'image'
  const { key, type, problem, isRefused, isBusy, save } = useNewKey(given, asksAccount ? ACCOUNTS[account] : null)
  const words = useKeyWords()
  return (
    <form
      noValidate
      className="settings-key"
      onSubmit={(event) => {
        event.preventDefault()
        save(false)
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
          type(event.target.value)
          onTyped()
        }}
      />
      {asksAccount ? <AccountField account={account} onChange={setAccount} /> : null}
      <div className="settings-buttons">
        <Button type="submit" kind="primary" disabled={isBusy}>
          {t('setKey')}
        </Button>
        {isRefused ? (
          <Button disabled={isBusy} onClick={() => save(true)}>
            {t('keepRefused')}
          </Button>
        ) : null}
        {onCancel === null ? null : <Button onClick={onCancel}>{t('common:cancel')}</Button>}
      </div>
    </form>
  )
}

/**
 * The key is only here, and only until it is set; one that the service refuses stays to be corrected, or to be stored nevertheless.
 */
function useNewKey({ name, status, onAddressProblem, onSet }: KeyFormProps, sameAccount: boolean | null) {
  const { t } = useTranslation('settings')
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const store = async (keepRefused: boolean) => {
    setBusy(true)
    const result = await ask('keys.set', { name, key: key.trim(), address: status.origin, sameAccount, keepRefused })
    setBusy(false)
    const refused = !result.ok && result.error.code === 'key_refused'
    setRefused(refused)
    if (!refused) setKey('')
    if (!result.ok) return setProblem(refused ? t('keyRefused') : errorText(result.error))
    setProblem(null)
    const { check, problem: why } = result.value
    const ofAddress = why !== null && isOfAddress(why)
    onAddressProblem(ofAddress ? errorText(why) : null)
    const texts = {
      accepted: () => t('keyAccepted'),
      refused: () => t('keyRefusedKept'),
      unchecked: () => t('keyUnchecked', { why: why === null || ofAddress ? '' : errorText(why) }).trim(),
    }
    await onSet({ isGood: check === 'accepted', text: texts[check]() })
  }
  const save = (keepRefused: boolean) => {
    if (key.trim() === '') setProblem(t('keyNeeded'))
    else if (!isBusy) inBackground('key-form.save', () => store(keepRefused))
  }
  const type = (text: string) => {
    setKey(text)
    setRefused(false)
    setProblem(null)
  }
  return { key, type, problem, isRefused, isBusy, save }
}

function AccountField({ account, onChange }: { account: Account; onChange: (account: Account) => void }) {
  const { t } = useTranslation('settings')
  return (
    <div className="field">
      <div className="field-label">{t('sameAccount')}</div>
      <Segmented
        label={t('sameAccount')}
        value={account}
        onChange={onChange}
        choices={[
          { value: 'same', label: t('accountSame') },
          { value: 'other', label: t('accountOther') },
          { value: 'unknown', label: t('accountUnknown') },
        ]}
      />
      {account === 'other' ? <div className="field-hint">{t('accountOtherMeans')}</div> : null}
    </div>
  )
}
