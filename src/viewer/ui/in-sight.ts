import { useEffect, useRef, useState } from 'preact/hooks';

/** True from the moment the element comes near the part of the page that is in sight. */
export function useInSight<T extends Element>(isAtOnce = false) {
  const element = useRef<T>(null);
  const [wasSeen, setSeen] = useState(isAtOnce);
  useEffect(() => {
    if (wasSeen) return;
    if (isAtOnce) return setSeen(true);
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) setSeen(true);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [wasSeen, isAtOnce]);
  return { element, wasSeen };
}
