import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from 'i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { LogLine } from '../../../shared/contract/app.ts'
import type { UiSettings } from '../../../shared/contract/settings.ts'
import { ask, askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CheckField, SelectField } from '../../parts/field.tsx'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]
const EVERY_MS = 2000
const KEPT = 2000

export function LogSection({ settings }: { settings: UiSettings }) {
  const [level, setLevel] = useState<Level>('info')
  const [follows, setFollows] = useState(true)
  const lines = useLog(follows).filter((line) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(level))
  const box = useRef<HTMLDivElement>(null)
  const newest = lines.at(-1)?.seq
  useLayoutEffect(() => {
    if (follows && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [follows, newest])
  const text = lines.map(lineText).join('\n')
  return (
    <>
      <p className="secondary">{t('settings:logHint')}</p>
      <div className="settings-log-bar">
        <SelectField
          label={t('settings:logLevel')}
          value={level}
          onChange={setLevel}
          choices={LEVELS.map((value) => ({ value, label: t(`settings:levels.${value}`) }))}
        />
        <CheckField label={t('settings:follow')} checked={follows} onChange={setFollows} />
        <CopyButton text={text} of={t('settings:sections.log')} />
      </div>
      {/* It scrolls, so the keyboard must be able to reach it. Its lines are not spoken as they come: there are too many. */}
      <div
        className="settings-log mono"
        ref={box}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('settings:sections.log')}
        dir="ltr"
      >
        {lines.length === 0 ? <p className="secondary">{t('settings:logEmpty')}</p> : null}
        {lines.map((line) => (
          <div key={line.seq} className={`settings-log-line ${line.level}`}>
            {lineText(line)}
          </div>
        ))}
      </div>
      <CheckField
        label={t('settings:verbose')}
        checked={settings.verboseLog}
        onChange={(verboseLog) => askOrToast('settings.set', { verboseLog })}
      />
    </>
  )
}

const lineText = ({ atMs, level, text }: LogLine) =>
  `${new Date(atMs).toISOString().slice(11, 19)} ${level.padEnd(5)} ${straightText(text)}`

/** The last lines, polled while they are shown. */
function useLog(follows: boolean): readonly LogLine[] {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const last = useRef(0)
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const result = await ask('log.read', { afterSeq: last.current })
      if (isGone || !result.ok || result.value.lines.length === 0) return
      const { lines: more } = result.value
      last.current = more.at(-1)!.seq
      setLines((before) => [...before, ...more].slice(-KEPT))
    }
    inBackground(read)
    const timer = follows ? setInterval(() => inBackground(read), EVERY_MS) : undefined
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [follows])
  return lines
}
