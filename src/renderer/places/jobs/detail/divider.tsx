import { useTranslation } from 'react-i18next'

/** The line between before and after. The slider is for the keyboard and screen readers. */
export function Divider({ at, share, onShare }: { at: number; share: number; onShare: (share: number) => void }) {
  const { t, i18n } = useTranslation('detail')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(share)
  return (
    <>
      <input
        type="range"
        className="compare-slider"
        min={0}
        max={100}
        step={1}
        value={Math.round(share * 100)}
        aria-label={t('compare.divider')}
        aria-valuetext={t('compare.dividerAt', { share: percent })}
        onChange={(event) => onShare(Number(event.target.value) / 100)}
      />
      <div className="compare-divider" style={{ transform: `translateX(${at}px)` }} aria-hidden>
        <span className="compare-grip" />
      </div>
    </>
  )
}
