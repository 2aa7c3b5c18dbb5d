import { text } from '../../text/en.ts'
import { Button } from './button.tsx'

export function FormFooter(props: {
  submit: string
  busy: boolean
  isDestructive?: boolean
  /** True when the form must not be left while it is sent, for example because the response has a secret. */
  mustStay?: boolean
  onClose: () => void
}) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button
        type="button"
        variant="secondary"
        disabled={props.mustStay === true && props.busy}
        onClick={props.onClose}
      >
        {text.common.cancel}
      </Button>
      <Button type="submit" variant={props.isDestructive ? 'destructive' : 'primary'} loading={props.busy}>
        {props.submit}
      </Button>
    </div>
  )
}
