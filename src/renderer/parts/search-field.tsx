import { Search, X } from 'lucide-react'
import { useRef, type InputHTMLAttributes, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { useShortcuts } from './use-shortcut.ts'

interface SearchFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string
  clearLabel: string
  value: string
  onChange: (text: string) => void
  /** Before the shortcut leads into it. */
  onShortcut?: () => void
  children?: ReactNode
}

export function SearchField({ label, clearLabel, value, onChange, onShortcut, children, ...rest }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useShortcuts({
    search: () => {
      onShortcut?.()
      field.current?.select()
    },
  })
  return (
    <div className="search">
      <Search size={14} aria-hidden />
      <input
        ref={field}
        className="input"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {value === '' ? null : (
        <IconButton label={clearLabel} onClick={() => onChange('')}>
          <X size={14} aria-hidden />
        </IconButton>
      )}
      {children}
    </div>
  )
}
