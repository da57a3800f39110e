import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../store/in-background.ts'
import { errorText } from '../../text/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface KeyFormProps {
  name: 'image' | 'chargers'
  /** The address that the person gives it for; set for no other, should another be in use by then. */
  origin: string | null
  /** There is a key already: whose the new one is decides what becomes of pictures in flight. */
  replaces: boolean
  onCancel: (() => void) | null
  onSet: () => Promise<void>
}

const ACCOUNTS = { same: true, other: false, unknown: null } as const

/** Takes a key once. It is in this field only until it is set, and nowhere else in the page. */
export function KeyForm({ name, origin, replaces, onCancel, onSet }: KeyFormProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [key, setKey] = useState('')
  const [account, setAccount] = useState<keyof typeof ACCOUNTS>('same')
  const [problem, setProblem] = useState<string | null>(null)
  const asksAccount = replaces && name === 'image'
  const save = async () => {
    const sameAccount = asksAccount ? ACCOUNTS[account] : null
    const result = await ask('keys.set', { name, key: key.trim(), address: origin, sameAccount })
    setKey('')
    setProblem(result.ok ? null : errorText(result.error))
    if (!result.ok) return
    toast(t('keySaved'))
    await onSet()
  }
  return (
    <form
      className="settings-key"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() !== '') inBackground('key-form.save', save)
      }}
    >
      <TextField
        label={name === 'image' ? t('keyField') : t('tokenField')}
        hint={t('keyFieldHint')}
        error={problem}
        type="password"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
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
        <Button type="submit" kind="primary" disabled={key.trim() === ''}>
          {t('setKey')}
        </Button>
        {onCancel === null ? null : <Button onClick={onCancel}>{t('common:cancel')}</Button>}
      </div>
    </form>
  )
}
