import { useSaving } from '../../auth/ui/use-saving.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { pay } from '../client.ts'

interface Props {
  productId: string
  /** A discount code that the person has typed. */
  code?: string
  children?: string
}

/** Leads to the page of Stripe on which a product is paid. */
export function BuyButton({ productId, code, children = 'Buy' }: Props) {
  const { isSending, problem, submit } = useSaving(async () => {
    const { url } = await pay.checkout(productId, code === undefined || code === '' ? {} : { code })
    location.assign(url)
  })
  return (
    <>
      <Button busy={isSending} onClick={submit}>
        {children}
      </Button>
      {problem !== null && <Notice>{problem.text}</Notice>}
    </>
  )
}
