import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { straightText } from '../../shared/text/safe-characters.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'onClick'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  size?: 'normal' | 'large'
  children?: ReactNode
  onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown
}

export function Button({ kind = 'plain', size = 'normal', className = '', ...rest }: ButtonProps) {
  return <button type="button" className={`button ${kind} ${size} ${className}`} {...focusable(rest)} />
}

/** A disabled button keeps the focus of the keyboard, and does nothing. */
function focusable({ disabled = false, onClick, ...rest }: ButtonProps) {
  if (!disabled) return { onClick, ...rest }
  return { ...rest, 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
}

/** `label`: accessible name and tooltip, which must not cover the next button. `of`: added to the name where several share a label. */
export function IconButton({
  label,
  of,
  tipSide,
  className = '',
  kind = 'quiet',
  ...rest
}: ButtonProps & { label: string; of?: string | undefined; tipSide?: 'left' | 'right' }) {
  return (
    <button
      type="button"
      className={`button icon ${kind} ${className}`}
      data-tip={label}
      data-tip-side={tipSide}
      aria-label={of === undefined ? label : `${label}: ${straightText(of)}`}
      {...focusable(rest)}
    />
  )
}
