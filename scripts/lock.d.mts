export function tryLock(name: string): Promise<(() => Promise<void>) | undefined>;
export function waitForLock(name: string, onWait: () => void): Promise<() => Promise<void>>;
