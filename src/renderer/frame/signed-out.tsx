import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignInRefusal } from '../../shared/contract/browsers.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { TextField } from '../parts/field.tsx'
import { readLink } from './read-link.ts'
import { useConnection } from './use-connection.ts'
import './signed-out.css'

/** The page cannot use its server until a person approves the code it shows, or opens or pastes a new link. */
export function SignedOut() {
  const { t } = useTranslation('frame')
  const { signInHelp } = useConnection()
  useEffect(() => {
    document.title = t('title', { what: t('signedOut.title') })
  }, [t])
  return (
    <main className="frame-page">
      <div className="signed-out">
        <h1>{t('signedOut.title')}</h1>
        <p>{t('signedOut.why')}</p>
        {signInHelp === null ? null : <ByCode help={signInHelp} />}
        <ByLink command={signInHelp?.newLink ?? null} />
      </div>
    </main>
  )
}

function ByCode({ help }: { help: SignInRefusal }) {
  const { t } = useTranslation('frame')
  return (
    <section className="signed-out-way" aria-labelledby="signed-out-code">
      <h2 id="signed-out-code">{t('signedOut.codeTitle')}</h2>
      <p className="signed-out-code mono">{help.code}</p>
      <p>{t('signedOut.codeHow')}</p>
      <CommandLine command={help.approve} />
      <p className="secondary">{t('signedOut.codeThen')}</p>
    </section>
  )
}

function ByLink({ command }: { command: string | null }) {
  const { t } = useTranslation('frame')
  const { linkRefused } = useConnection()
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const open = () => {
    const link = readLink(text, location.origin)
    setIsWrong(link.kind === 'none')
    // The bridge listens for fragment changes; another port is another page.
    if (link.kind === 'here') location.hash = link.hash
    else if (link.kind === 'elsewhere') location.assign(link.address)
  }
  const error = isWrong ? t('signedOut.wrong') : linkRefused ? t('signedOut.refused') : null
  return (
    <form
      noValidate
      className="signed-out-way"
      aria-labelledby="signed-out-link"
      onSubmit={(event) => {
        event.preventDefault()
        open()
      }}
    >
      <h2 id="signed-out-link">{t('signedOut.linkTitle')}</h2>
      <p>{t('signedOut.linkHow')}</p>
      {command === null ? null : <CommandLine command={command} />}
      <TextField
        label={t('signedOut.field')}
        value={text}
        error={error}
        spellCheck={false}
        autoComplete="off"
        placeholder={`${location.origin}/#link=…`}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {t('signedOut.open')}
      </Button>
    </form>
  )
}

function CommandLine({ command }: { command: string }) {
  return (
    <div className="signed-out-command">
      <code className="mono">
        {command.split(' ').flatMap((word, n) => [
          n === 0 ? '' : ' ',
          <span key={n} className="signed-out-word">
            {word}
          </span>,
        ])}
      </code>
      <CopyButton text={command} />
    </div>
  )
}
