import type { ButtonHTMLAttributes } from 'react'
import { Link, type LinkProps } from '../web/navigation.tsx'

type ButtonKind = 'primary' | 'plain' | 'danger'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is for the main action of a page. The default is `primary` for a submit button, otherwise `plain`. */
  kind?: ButtonKind | undefined
  /** `small` is meant for rows and cards. */
  size?: 'small' | undefined
  /** Shows progress and ignores further clicks. */
  busy?: boolean | undefined
}

/** A button. Label it with a verb and a noun ("Add plant"). */
export function Button({
  type = 'button',
  kind = type === 'submit' ? 'primary' : 'plain',
  size,
  busy = false,
  children,
  className,
  ...rest
}: ButtonProps) {
  const { disabled, onClick } = rest
  return (
    <button
      {...rest}
      type={type}
      className={buttonClasses(kind, size, className)}
      // `aria-disabled` instead of `disabled`, because a disabled button loses the focus.
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

/** A link that looks like a button, for navigation. Use `Button` for actions. */
export function LinkButton({
  kind = 'plain',
  size,
  className,
  ...rest
}: LinkProps & Pick<ButtonProps, 'kind' | 'size'>) {
  return <Link {...rest} className={buttonClasses(kind, size, className)} />
}

const buttonClasses = (kind: ButtonKind, size: ButtonProps['size'], own: string | undefined): string =>
  ['button', `button-${kind}`, size && `button-${size}`, own].filter(Boolean).join(' ')
