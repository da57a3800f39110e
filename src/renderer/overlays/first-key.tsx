import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../shared/contract/keys.ts'
import { askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useKeyWords } from '../text/use-key-words.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useServiceTrial, type Trouble } from './service-trial.ts'

/** Address and key of the person's account, tested with one free call. */
export function FirstKey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['intake', 'settings'])
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const { trouble, isBusy, run, keep, forget } = useServiceTrial(onDone)
  const words = useKeyWords()
  const [status, setStatus] = useState<KeyStatus | null>(null)
  useEffect(() => {
    inBackground('key-control.read', async () => setStatus(await askOrToast('keys.status', { name: 'image' })))
  }, [])
  const [isSubmitted, setSubmitted] = useState(false)
  const errorAt = (field: Trouble['field'], text: string) => {
    if (trouble?.field === field) return trouble.message
    if (!isSubmitted || text.trim() !== '') return null
    return t(field === 'address' ? 'settings:addressNeeded' : 'settings:keyNeeded')
  }
  const isFilled = address.trim() !== '' && key.trim() !== ''
  return (
    <form
      noValidate
      className="first-key"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (isFilled && !isBusy) inBackground('first-key.run', () => run(address.trim(), key.trim()))
      }}
    >
      <TextField
        label={t('first.address')}
        type="url"
        inputMode="url"
        placeholder="https://"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        value={address}
        error={errorAt('address', address)}
        onChange={(event) => {
          setAddress(event.target.value)
          forget()
        }}
      />
      <TextField
        label={t('first.key')}
        type="password"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        {...(status === null ? {} : { hint: words.hint(status) })}
        value={key}
        error={errorAt('key', key)}
        onChange={(event) => {
          setKey(event.target.value)
          forget()
        }}
      />
      <div className="first-buttons">
        <Button type="submit" size="large" disabled={isBusy}>
          {t(isBusy ? 'first.testing' : 'first.use')}
        </Button>
        {trouble === null || trouble.canKeep === null ? null : (
          <Button
            kind="quiet"
            size="large"
            disabled={isBusy}
            onClick={() => {
              if (trouble.canKeep === 'unchecked') keep()
              else inBackground('first-key.run', () => run(address.trim(), key.trim(), true))
            }}
          >
            {t('first.keep')}
          </Button>
        )}
      </div>
    </form>
  )
}
