import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Keeps the user on the page while `mustStay` is true, so that data that only this page has is not lost. The back button and links do
 * nothing, and the browser asks before it closes or reloads the page.
 */
export function useStayOnPage(mustStay: boolean): void {
  const { history } = useRouter()
  useEffect(() => (mustStay ? history.block({ blockerFn: () => true }) : undefined), [history, mustStay])
}
