import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignInRefusal } from '../../shared/contract/browsers.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { TextField } from '../parts/field.tsx'
import { readLink } from './read-link.ts'
import { useConnection } from '../store/use-connection.ts'
import './signed-out.css'

/** The page cannot use its server until a person approves the code it shows, or opens or pastes a new link. */
export default function SignedOut() {
  const { t } = useTranslation(['signIn', 'frame'])
  const { signInHelp } = useConnection()
  useEffect(() => {
    document.title = t('frame:title', { what: t('title') })
  }, [t])
  return (
    <main className="frame-page">
      <div className="signed-out">
        <h1>{t('title')}</h1>
        <p>{t('why')}</p>
        {signInHelp === null ? null : <ByCode help={signInHelp} />}
        <ByLink command={signInHelp?.newLink ?? null} />
      </div>
    </main>
  )
}

function ByCode({ help }: { help: SignInRefusal }) {
  const { t } = useTranslation('signIn')
  return (
    <section className="signed-out-way" aria-labelledby="signed-out-code">
      <h2 id="signed-out-code">{t('codeTitle')}</h2>
      <p className="signed-out-code mono">{help.code}</p>
      <p>{t('codeHow')}</p>
      <CommandLine command={help.approve} />
      <p className="secondary">{t('codeThen')}</p>
    </section>
  )
}

function ByLink({ command }: { command: string | null }) {
  const { t } = useTranslation('signIn')
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
  const error = isWrong ? t('wrong', { scheme: `${location.protocol}//` }) : linkRefused ? t('refused') : null
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
      <h2 id="signed-out-link">{t('linkTitle')}</h2>
      <p>{t('linkHow')}</p>
      {command === null ? null : <CommandLine command={command} />}
      <TextField
        label={t('field')}
        value={text}
        error={error}
        spellCheck={false}
        autoComplete="off"
        placeholder={`${location.origin}/#link=…`}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {t('open')}
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
