import { fireEvent, screen, within } from '@testing-library/react'

/** Looks for elements only in the open dialog; throws when there is none or more than one. */
export const inDialog = () => within(screen.getByRole('dialog'))

export const pressInDialog = (name: string | RegExp) =>
  fireEvent.click(inDialog().getByRole('button', { name }))
