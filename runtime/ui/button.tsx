import type { ButtonHTMLAttributes } from 'react'
import { Link, type LinkProps } from '../web/navigation.tsx'

type Kind = 'primary' | 'plain' | 'danger'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind | undefined
  /** Shows progress and ignores further presses. */
  busy?: boolean | undefined
}

/** A button; say what it does with verb and noun ("Add plant"). */
export function Button({
  kind = 'primary',
  busy = false,
  type = 'button',
  children,
  className,
  ...rest
}: ButtonProps) {
  const { disabled, onClick } = rest
  return (
    <button
      {...rest}
      type={type}
      className={`button button-${kind} ${className ?? ''}`}
      // A disabled button would lose the focus while it works.
      aria-disabled={busy || disabled === true}
      aria-busy={busy}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link styled as a button: for navigation, while a button acts. */
export function LinkButton({
  kind = 'primary',
  className,
  ...rest
}: LinkProps & { kind?: Kind | undefined }) {
  return <Link {...rest} className={`button button-${kind} ${className ?? ''}`} />
}
