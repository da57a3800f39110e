import { useEffect, useState } from 'react'
import { t } from 'i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import type { TeamCheck, TeamComputer } from '../../../shared/contract/team.ts'
import type { AppErrorShape } from '../../../shared/sentences/errors.ts'
import { ask, askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { isSameText, useEdited } from '../../store/use-edited.ts'
import { errorText } from '../../store/error-text.ts'
import { relativeText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Form, TextField } from '../../parts/field.tsx'
import { SettingRow } from './section.tsx'

const EVERY_MS = 15_000
/** A computer without a beat for this long is shown as away. */
const AWAY_MS = 30_000

export function TeamSection({ settings }: { settings: UiSettings }) {
  return (
    <>
      <p className="secondary">{t('settings:team.hint')}</p>
      <LedgerForm ledgerUrl={settings.ledgerUrl} />
      <NameForm computerName={settings.computerName} />
      {/* Asked again once either is changed. */}
      {settings.ledgerUrl === null ? null : <Computers key={`${settings.ledgerUrl} ${settings.computerName}`} />}
    </>
  )
}

type Problem = { field: 'address' | 'password'; text: string } | null

/** A wrong password belongs to its field; everything else is about the address or what is behind it. */
function problemOf(error: AppErrorShape): Problem {
  const { sentence } = error
  const isPassword = 'code' in sentence && sentence.code === 'ledger_password_wrong'
  const isStore = error.code === 'secret_store_unavailable'
  return { field: isPassword || isStore ? 'password' : 'address', text: errorText(error) }
}

function LedgerForm({ ledgerUrl }: { ledgerUrl: string | null }) {
  const ledger = useLedger(ledgerUrl)
  const { edited, problem, isBusy } = ledger
  const secret = { autoComplete: 'off', spellCheck: false, dir: 'ltr' } as const
  return (
    <Form className="stack" onSubmit={ledger.use}>
      <TextField
        label={t('settings:team.address')}
        hint={t('settings:team.addressHint')}
        error={problem?.field === 'address' ? problem.text : null}
        {...secret}
        placeholder="postgres://hangar@host/hangar"
        value={edited.draft}
        onChange={({ target }) => ledger.typeAddress(target.value)}
      />
      <TextField
        label={t('settings:team.password')}
        hint={t('settings:team.passwordHint')}
        error={problem?.field === 'password' ? problem.text : null}
        type="password"
        {...secret}
        value={ledger.password}
        onChange={({ target }) => ledger.typePassword(target.value)}
      />
      <div role="status">
        <LedgerFound found={ledger.found} />
      </div>
      <div className="settings-buttons row">
        <Button disabled={isBusy} onClick={ledger.test}>
          {t('settings:testKey')}
        </Button>
        <Button type="submit" disabled={isBusy || !ledger.isNew}>
          {t('settings:team.use')}
        </Button>
        {ledgerUrl === null ? null : (
          <Button kind="quiet" onClick={ledger.leave}>
            {t('settings:team.leave')}
          </Button>
        )}
      </div>
    </Form>
  )
}

function LedgerFound({ found }: { found: TeamCheck | null }) {
  if (found === null) return null
  const ms = Math.max(1, Math.round(found.roundTripMs))
  return t(found.encrypted ? 'settings:team.works' : 'settings:team.worksHere', { server: found.server, ms })
}

function useLedger(ledgerUrl: string | null) {
  const edited = useEdited(ledgerUrl ?? '', isSameText)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem>(null)
  const [found, setFound] = useState<TeamCheck | null>(null)
  const [isBusy, setBusy] = useState(false)
  const address = edited.draft.trim()
  const given = password === '' ? null : password
  /** Whether it works; says so, or what is wrong at its field. */
  const check = async (): Promise<boolean> => {
    setBusy(true)
    const result = await ask('team.check', { url: address, password: given })
    setBusy(false)
    setProblem(result.ok ? null : problemOf(result.error))
    setFound(result.ok ? result.value : null)
    return result.ok
  }
  /** One that does not work is not used: nothing would be sent any more. */
  const takeIfItWorks = async () => {
    if (!(await check())) return
    if (given !== null) {
      const kept = await ask('team.password', { url: address, password: given })
      if (!kept.ok) return setProblem(problemOf(kept.error))
      setPassword('')
    }
    await edited.store(address, async () => (await askOrToast('settings.set', { ledgerUrl: address })) !== null)
  }
  const needAddress = () => setProblem({ field: 'address', text: t('settings:team.addressNeeded') })
  const typing = (set: (text: string) => void) => (text: string) => {
    set(text)
    setProblem(null)
    setFound(null)
  }
  return {
    edited,
    password,
    problem,
    found,
    isBusy,
    isNew: address !== ledgerUrl || given !== null,
    typeAddress: typing(edited.set),
    typePassword: typing(setPassword),
    test: () => (address === '' ? needAddress() : inBackground(check)),
    use: () => (address === '' ? needAddress() : inBackground(takeIfItWorks)),
    leave: () => {
      edited.set('')
      inBackground(() => askOrToast('settings.set', { ledgerUrl: null }))
    },
  }
}

function NameForm({ computerName }: { computerName: string | null }) {
  const edited = useEdited(computerName ?? '', isSameText)
  const name = edited.draft
  const wanted = name.trim() || null
  return (
    <Form
      className="stack"
      onSubmit={() =>
        inBackground(() =>
          edited.store(name, async () => (await askOrToast('settings.set', { computerName: wanted })) !== null),
        )
      }
    >
      <TextField
        label={t('settings:team.name')}
        hint={t('settings:team.nameHint')}
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => edited.set(event.target.value)}
      />
      <div className="settings-buttons row">
        <Button type="submit" disabled={wanted === computerName}>
          {t('settings:team.setName')}
        </Button>
      </div>
    </Form>
  )
}

function Computers() {
  const { value, error, again } = useAnswer('team.status', {})
  useEffect(() => {
    const timer = setInterval(again, EVERY_MS)
    return () => clearInterval(timer)
  }, [again])
  if (error !== null) return <p role="alert">{errorText(error)}</p>
  if (value === null || value.address === null) return null
  if (value.trouble !== null || value.report === null)
    return <p role="alert">{t(value.trouble === null ? 'settings:team.noKey' : 'settings:team.noAnswer')}</p>
  const { computers, calls, unknown } = value.report
  const remove = (id: string) =>
    inBackground(async () => {
      await askOrToast('team.remove', { id })
      again()
    })
  return (
    <>
      <ul className="stack loose" aria-label={t('settings:team.computers')}>
        {computers.map((computer) => (
          <ComputerLine
            key={computer.id}
            computer={computer}
            isThis={computer.id === value.me}
            onRemove={() => remove(computer.id)}
          />
        ))}
      </ul>
      <p className="secondary">
        {t('settings:team.calls', { count: calls })}
        {unknown === 0 ? '' : ` ${t('settings:team.unknown', { count: unknown })}`}
      </p>
    </>
  )
}

interface ComputerLineProps {
  computer: TeamComputer
  isThis: boolean
  onRemove: () => unknown
}

function ComputerLine({ computer, isThis, onRemove }: ComputerLineProps) {
  const { name, version, seenMs, sentToday, underWay } = computer
  const isAway = seenMs > AWAY_MS
  const seen = isAway ? t('settings:team.seen', { when: relativeText(-seenMs, 0) }) : t('settings:team.there')
  const facts = t('settings:team.facts', { version, sent: sentToday, underWay })
  return (
    <li>
      <SettingRow label={isThis ? t('settings:team.this', { name }) : straightText(name)} hint={`${seen} ${facts}`}>
        {isAway && !isThis ? (
          <Button aria-label={t('settings:team.removeNamed', { name })} onClick={onRemove}>
            {t('common:remove')}
          </Button>
        ) : null}
      </SettingRow>
    </li>
  )
}
