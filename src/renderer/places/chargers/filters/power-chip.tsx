import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldError } from '../../../parts/field.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'

const STEPS = [null, 11, 22, 40, 50, 100, 150, 300] as const

/** Filters by power per outlet: common steps, and a field for any other. */
export function PowerChip() {
  const { t } = useTranslation('chargers')
  const minKw = useChargers(({ filter }) => filter.minKw)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const take = (kw: number | null) => changeFilter({ minKw: kw })
  const own = Number(typed.replace(',', '.'))
  const isWrong = typed !== '' && !(own > 0)
  return (
    <Popover
      label={t('filter.power')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={minKw === null ? 'chargers-chip' : 'chargers-chip on'}>
          {minKw === null ? t('filter.power') : t('filter.powerAtLeast', { kw: minKw })}
          <ChevronDown size={12} aria-hidden />
        </button>
      }
    >
      <div role="radiogroup" aria-label={t('filter.power')} className="chargers-facet-values">
        {STEPS.map((kw) => (
          <label key={kw ?? 0} className="check">
            <input type="radio" name="chargers-power" checked={minKw === kw} onChange={() => take(kw)} />
            {kw === null ? t('filter.anyPower') : t('filter.powerAtLeast', { kw })}
          </label>
        ))}
      </div>
      <form
        noValidate
        className="field"
        onSubmit={(event) => {
          event.preventDefault()
          if (own > 0) take(own)
          setOpen(false)
        }}
      >
        <label htmlFor="chargers-own-kw">{t('filter.ownPower')}</label>
        <input
          id="chargers-own-kw"
          className="input figures"
          inputMode="decimal"
          value={typed}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'chargers-own-kw-wrong' : undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            const value = Number(event.target.value.replace(',', '.'))
            if (value > 0) take(value)
          }}
        />
        <FieldError id="chargers-own-kw-wrong" text={isWrong ? t('filter.ownPowerWrong') : null} />
      </form>
    </Popover>
  )
}
