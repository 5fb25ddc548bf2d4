import { useEffect, useRef, useState } from "preact/hooks";

/** For a part far down a page, so that it loads nothing before someone gets near it. */
export function useNear<T extends HTMLElement>() {
  const place = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "300px" },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, isNear };
}
