import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { order } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { Tip } from '../ui/tip.tsx'

/** Nothing new is sent while paused; the results of what was sent are still fetched. */
export function PauseButton() {
  const { t } = useTranslation('frame')
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  const toggle = () => inBackground('queue.resume', () => order(isPaused ? 'queue.resume' : 'queue.pause', {}))
  return (
    <Tip text={t(isPaused ? 'resume.explains' : 'pause.explains')} side="right">
      <button type="button" className={isPaused ? 'rail-pause paused' : 'rail-pause'} onClick={toggle}>
        {isPaused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        <span className="rail-label">{t(isPaused ? 'resume.label' : 'pause.label')}</span>
      </button>
    </Tip>
  )
}
