import { useEffect, useState } from 'react'
import { auth } from '../client.ts'
import type { User } from '../types.ts'

/** Returns the person who is signed in; null for a visitor, undefined while not known yet. */
export function useUser(): User | null | undefined {
  const [user, setUser] = useState<User | null | undefined>(undefined)
  useEffect(() => auth.subscribe(setUser), [])
  return user
}
