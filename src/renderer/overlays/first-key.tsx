import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../shared/contract/keys.ts'
import { askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useKeyWords } from '../text/use-key-words.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useServiceTrial, type Trouble } from './service-trial.ts'

/** Nothing helps to type these. */
const PLAIN = { dir: 'ltr', spellCheck: false, autoComplete: 'off' } as const

/** Address and key of the person's account, tested with one free call. */
export function FirstKey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['intake', 'settings'])
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const { trouble, isBusy, run, keep, forget } = useServiceTrial(onDone)
  const hint = useKeyHint()
  const [isSubmitted, setSubmitted] = useState(false)
  const errorAt = (field: Trouble['field'], text: string) => {
    if (trouble?.field === field) return trouble.message
    if (!isSubmitted || text.trim() !== '') return null
    return t(field === 'address' ? 'settings:addressNeeded' : 'settings:keyNeeded')
  }
  const typed = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    forget()
  }
  const test = (keepRefused: boolean) =>
    inBackground('first-key.run', () => run(address.trim(), key.trim(), keepRefused))
  const isFilled = address.trim() !== '' && key.trim() !== ''
  return (
    <form
      noValidate
      className="first-key"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (isFilled && !isBusy) test(false)
      }}
    >
      <TextField
        label={t('first.address')}
        type="url"
        inputMode="url"
        placeholder="https://"
        {...PLAIN}
        value={address}
        error={errorAt('address', address)}
        onChange={typed(setAddress)}
      />
      <TextField
        label={t('first.key')}
        type="password"
        {...PLAIN}
        hint={hint}
        value={key}
        error={errorAt('key', key)}
        onChange={typed(setKey)}
      />
      <Buttons
        isBusy={isBusy}
        onKeep={
          trouble === null || trouble.canKeep === null
            ? null
            : () => (trouble.canKeep === 'unchecked' ? keep() : test(true))
        }
      />
    </form>
  )
}

/** `onKeep`: takes address and key as they are; null while that makes no sense. */
function Buttons({ isBusy, onKeep }: { isBusy: boolean; onKeep: (() => void) | null }) {
  const { t } = useTranslation('intake')
  return (
    <div className="first-buttons">
      <Button type="submit" size="large" disabled={isBusy}>
        {t(isBusy ? 'first.testing' : 'first.use')}
      </Button>
      {onKeep === null ? null : (
        <Button kind="quiet" size="large" disabled={isBusy} onClick={onKeep}>
          {t('first.keep')}
        </Button>
      )}
    </div>
  )
}

/** Where a key would be kept; empty until that is known. */
function useKeyHint(): string {
  const words = useKeyWords()
  const [status, setStatus] = useState<KeyStatus | null>(null)
  useEffect(() => {
    inBackground('key-control.read', async () => setStatus(await askOrToast('keys.status', { name: 'image' })))
  }, [])
  return status === null ? '' : words.hint(status)
}
