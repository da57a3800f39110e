import { t } from 'i18next'
import { useState } from 'react'
import type { KeyStatus } from '../../../shared/contract/keys.ts'
import { ask, askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useShell } from '../../store/shell-store.ts'
import { errorText, isOfAddress } from '../../store/error-text.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { exactTimeText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Question } from '../../parts/question.tsx'
import { SettingRow } from './section.tsx'
import { Form, SegmentedField, TextField } from '../../parts/field.tsx'

interface KeyControlProps {
  name: 'image' | 'chargers'
  /** Called when trying a key found that the address is to blame, and with null when it is not. */
  onAddressProblem: (text: string | null) => void
}

/** The key itself is never shown. */
export function KeyControl({ name, onAddressProblem }: KeyControlProps) {
  const hasKey = useShell(({ state }) => state?.service?.hasKey)
  const version = useShell(({ state }) => state?.versions.keys)
  const { value: status, error, again } = useAnswer('keys.status', { name }, 0, `${hasKey} ${version}`)
  const [isTyping, setTyping] = useState(false)
  const [verdict, setVerdict] = useState<KeyVerdict | null>(null)
  if (status === null)
    return error === null ? null : (
      <p role="alert" className="field-error">
        {errorText(error)} <Button onClick={again}>{t('common:retry')}</Button>
      </p>
    )
  const test = async () => {
    setVerdict(null)
    const { addressProblem, ...found } = await testKey(name)
    onAddressProblem(addressProblem)
    setVerdict(found)
  }
  return (
    <>
      <SettingRow label={name === 'image' ? t('settings:key') : t('settings:token')} hint={statusText(status)}>
        {status.present && !isTyping ? (
          <div className="settings-buttons row">
            <Button onClick={test}>{t('settings:testKey')}</Button>
            {status.place === 'environment' ? null : (
              <>
                <Button onClick={() => setTyping(true)}>{t('settings:replaceKey')}</Button>
                <DeleteButton status={status} onDeleted={() => setVerdict(null)} />
              </>
            )}
          </div>
        ) : null}
      </SettingRow>
      {verdict === null ? null : (
        <p role="status" className={verdict.isGood ? 'is-done' : 'field-error'}>
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
          onSet={(check) => {
            setTyping(false)
            setVerdict(check)
          }}
        />
      )}
    </>
  )
}

function DeleteButton({ status: { name, origin }, onDeleted }: { status: KeyStatus; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    setAsking(false)
    await askOrToast('keys.delete', { name, address: origin })
    onDeleted()
  }
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t('settings:deleteKey')}
      </Button>
      {isAsking ? (
        <Question
          title={t('settings:deleteKeyAsk', { origin: origin ?? '' })}
          text={t('settings:deleteKeyMeans')}
          yes={t('settings:deleteKey')}
          onYes={remove}
          onNo={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

async function testKey(name: KeyControlProps['name']): Promise<KeyVerdict & { addressProblem: string | null }> {
  const result = await ask('keys.test', { name })
  const { accepted: isGood, problem } = result.ok ? result.value : { accepted: false, problem: result.error }
  const text = problem === null ? t('settings:keyAccepted') : errorText(problem)
  return problem !== null && isOfAddress(problem)
    ? { isGood, text: t('settings:keyUnchecked', { why: '' }).trim(), addressProblem: text }
    : { isGood, text, addressProblem: null }
}

interface KeyFormProps extends KeyControlProps {
  /** Its origin is the address that the key is meant for; the key is not stored if another one is in use by then. */
  status: KeyStatus
  onCancel: (() => void) | null
  onTyped: () => void
  onSet: (verdict: KeyVerdict) => void
}

/** The service's answer about the stored key. */
interface KeyVerdict {
  isGood: boolean
  text: string
}

/** Whether the new key is of the account of the old one. */
const ACCOUNTS = { same: true, other: false, unknown: null } as const
type Account = keyof typeof ACCOUNTS

function KeyForm(given: KeyFormProps) {
  const { name, status, onCancel, onTyped } = given
  const [account, setAccount] = useState<Account>('same')
  // Whether the account is the same decides about pictures in flight.
  const asksAccount = status.present && name === 'image'
  const { key, type, problem, isRefused, isBusy, save } = useNewKey(given, asksAccount ? ACCOUNTS[account] : null)
  return (
    <Form className="settings-key stack" onSubmit={() => save(false)}>
      <TextField
        label={name === 'image' ? t('settings:keyField') : t('settings:tokenField')}
        hint={fieldHint(status)}
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
      {asksAccount ? (
        <SegmentedField
          label={t('settings:sameAccount')}
          value={account}
          onChange={setAccount}
          choices={[
            { value: 'same', label: t('settings:accountSame') },
            { value: 'other', label: t('settings:accountOther') },
            { value: 'unknown', label: t('settings:accountUnknown') },
          ]}
        >
          {account === 'other' ? <div className="field-hint">{t('settings:accountOtherMeans')}</div> : null}
        </SegmentedField>
      ) : null}
      <div className="settings-buttons row">
        <Button type="submit" kind="primary" disabled={isBusy}>
          {t('settings:setKey')}
        </Button>
        {isRefused ? (
          <Button disabled={isBusy} onClick={() => save(true)}>
            {t('settings:keepRefused')}
          </Button>
        ) : null}
        {onCancel === null ? null : <Button onClick={onCancel}>{t('common:cancel')}</Button>}
      </div>
    </Form>
  )
}

/** The key is only here, until it is set; one that is refused stays to be corrected, or to be stored nevertheless. */
function useNewKey({ name, status, onAddressProblem, onSet }: KeyFormProps, sameAccount: boolean | null) {
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
    if (result.ok) setKey('')
    if (!result.ok) return setProblem(refused ? t('settings:keyRefused') : errorText(result.error))
    setProblem(null)
    const { check, problem: why } = result.value
    const ofAddress = why !== null && isOfAddress(why)
    onAddressProblem(ofAddress ? errorText(why) : null)
    const texts = {
      accepted: () => t('settings:keyAccepted'),
      refused: () => t('settings:keyRefusedKept'),
      unchecked: () => t('settings:keyUnchecked', { why: why === null || ofAddress ? '' : errorText(why) }).trim(),
    }
    onSet({ isGood: check === 'accepted', text: texts[check]() })
  }
  const save = (keepRefused: boolean) =>
    key.trim() === '' ? setProblem(t('settings:keyNeeded')) : inBackground(() => store(keepRefused))
  const type = (text: string) => {
    setKey(text)
    setRefused(false)
    setProblem(null)
  }
  return { key, type, problem, isRefused, isBusy, save }
}

const why = ({ because }: Pick<KeyStatus, 'because'>) =>
  because === null ? '' : t(`settings:keychainTrouble.${because}`)

/** Before it is typed: what becomes of it. */
const fieldHint = (status: Pick<KeyStatus, 'place' | 'because'>): string =>
  t(`settings:keyFieldHint.${status.place}`, { why: why(status) })

/** Whether there is one, and where. */
function statusText(of: KeyStatus): string {
  const { present, place, origin, setAtMs } = of
  const where = { origin: origin ?? '' }
  if (!present) return t('settings:keyNone', where)
  if (place === 'environment') return t('settings:keyInEnvironment', where)
  if (place === 'memory') return `${t('settings:keyInMemory', where)} ${why(of)}`.trimEnd()
  if (setAtMs === null) return t('settings:keyInKeychain', where)
  return t('settings:keyInKeychainSince', { ...where, when: exactTimeText(setAtMs) })
}
